// OMP_SCHEDULE=`static_steal`, one of libomp's further kinds, keeps its number and divides schedule(runtime) loops, each iteration once.
// libomp's reference; OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=static_steal
//@ threads: 1 2 3 8
//@ stock-fails: gcc because libgomp does not know this kind
//@ stock-fails: clang because libomp 19 answers dynamic
#include "check.h"

enum { N = 1000 };

static int hits[N];

int main(void) {
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & 0x7fffffff, 102);
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
