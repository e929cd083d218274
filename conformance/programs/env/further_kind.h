// The schedule of OMP_SCHEDULE has the number KIND of libomp, and divides loops, each iteration once.
#include "check.h"

enum { N = 1000 };

static int hits[N];

int main(void) {
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & 0x7fffffff, KIND);
    for (int round = 1; round <= 10; round++) {
#pragma omp parallel
        {
#pragma omp for schedule(runtime)
            for (int i = 0; i < N; i++) hits[i]++;
#pragma omp for schedule(runtime)
            for (long i = 2 * N - 2; i >= 0; i -= 2) hits[i / 2] += 10;
        }
        for (int i = 0; i < N; i++) CHECK_EQ(hits[i], 11 * round);
    }
    return verdict();
}
