// Where OMP_NUM_THREADS says nothing that can be used, a team has a thread for each processor.
#include "check.h"

int main(void) {
    CHECK(omp_get_max_threads() >= 1 && omp_get_max_threads() <= 4096, "%d", omp_get_max_threads());
    CHECK_EQ(omp_get_max_threads(), omp_get_num_procs());
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_num_procs());
    return verdict();
}
