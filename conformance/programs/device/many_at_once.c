// Target regions that every thread encounters at once, again and again, with parallel regions in them. OpenMP 5.1, 2.14.5
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), rounds = threads > 8 ? 2 : 6;
    long total = 0;
#pragma omp parallel reduction(+ : total)
    for (int round = 0; round < rounds; round++) {
        int sum = 0;
#pragma omp target map(tofrom : sum) firstprivate(round)
        {
#pragma omp parallel for num_threads(2) reduction(+ : sum)
            for (int i = 0; i < 20; i++) sum += i + round;
        }
        CHECK_EQ(sum, 190 + 20 * round);
        total += sum;
#pragma omp barrier
#pragma omp for nowait
        for (int i = 0; i < 100; i++) {
#pragma omp target map(tofrom : total)
            total++;
        }
    }
    CHECK_EQ(total, (long)threads * (190L * rounds + 10L * rounds * (rounds - 1)) + 100L * rounds);
    return verdict();
}
