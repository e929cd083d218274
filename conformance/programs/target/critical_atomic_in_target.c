// critical, atomic, barrier and flush in target regions. OpenMP 5.1, 2.19
//@ devices: 1 3
#include "device.h"

int main(void) {
    int plain = 0, named = 0, atomic = 0, captured[64] = {0}, wrong = 0, threads = 0;
    double sum = 0;
#pragma omp target parallel num_threads(4) map(tofrom : plain, named, atomic, captured, wrong, sum) map(from : threads)
    {
#pragma omp single
        threads = omp_get_num_threads();
        for (int i = 0; i < 50; i++) {
#pragma omp critical
            plain++;
#pragma omp critical(target_name)
            named += 2;
#pragma omp atomic
            sum += 0.5;
        }
#pragma omp barrier
        if (plain != 50 * threads) {
#pragma omp atomic
            wrong++;
        }
#pragma omp barrier
#pragma omp for
        for (int i = 0; i < 64; i++) {
            int place;
#pragma omp atomic capture
            place = atomic++;
            captured[place]++;
        }
        int seen;
#pragma omp atomic read
        seen = atomic;
        if (seen != 64) {
#pragma omp atomic update
            wrong++;
        }
    }
    CHECK_EQ(plain, 50 * threads);
    CHECK_EQ(named, 100 * threads);
    CHECK(sum == 25.0 * threads, "%g", sum);
    for (int i = 0; i < 64; i++) CHECK_EQ(captured[i], 1);
    CHECK_EQ(wrong, 0);
    return verdict();
}
