// _DEV and _DEV_<n> speak for other devices, not for the host, in silence.
// OpenMP 5.1, 2.4.2, 6
//@ env: OMP_NUM_THREADS=2
//@ env: OMP_NUM_THREADS_DEV=7
//@ env: OMP_NUM_THREADS_DEV_3=8
//@ env: OMP_NUM_TEAMS_DEV=4
//@ env: OMP_THREAD_LIMIT_DEV_1=5
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_max_threads(), 2);
    CHECK(omp_get_thread_limit() > 5, "%d", omp_get_thread_limit());
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 2);
    return verdict();
}
