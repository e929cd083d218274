// A region runs once on each thread of a team of omp_get_max_threads() threads, numbered without gaps; many in a row.
// OpenMP 5.1, 2.6 (parallel construct)
#include "check.h"

int main(void) {
    int want = omp_get_max_threads();
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    for (int round = 0; round < 60; round++) {
        int seen[64] = {0}, size = -1;
#pragma omp parallel
        {
            seen[omp_get_thread_num()]++;
            CHECK_EQ(omp_get_num_threads(), want);
            CHECK_EQ(omp_in_parallel(), want > 1);
#pragma omp master
            size = omp_get_num_threads();
        }
        CHECK_EQ(size, want);
        for (int i = 0; i < 64; i++) CHECK_EQ(seen[i], i < want);
    }
    CHECK_EQ(omp_in_parallel(), 0);
    return verdict();
}
