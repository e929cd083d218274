// _DEV and _DEV_<n> speak for other devices, not for the host, in silence: also device 0 where there is no device, and the host
// has the number 0.
// OpenMP 5.1, 2.4.2, 6
//@ env: OMP_NUM_THREADS=2
//@ env: OMP_NUM_THREADS_DEV=7
//@ env: OMP_NUM_THREADS_DEV_3=8
//@ env: OMP_NUM_THREADS_DEV_0=6
//@ env: OMP_NUM_TEAMS_DEV=4
//@ env: OMP_NUM_TEAMS_DEV_0=5
//@ env: OMP_TEAMS_THREAD_LIMIT_DEV_0=3
//@ env: OMP_THREAD_LIMIT_DEV_1=5
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_max_threads(), 2);
    CHECK(omp_get_thread_limit() > 5, "%d", omp_get_thread_limit());
    CHECK_EQ(omp_get_max_teams(), 0);
    CHECK_EQ(omp_get_teams_thread_limit(), 0);
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 2);
    return verdict();
}
