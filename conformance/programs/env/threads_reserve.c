// Threads that OMP_THREADS_RESERVE reserves for free agents are not there for teams (OpenMP 6.0, section 4.3.10), and the variable is shown.
//@ env: OMP_THREADS_RESERVE=structured(2),free_agent(3)
//@ env: OMP_THREAD_LIMIT=8
//@ env: OMP_DISPLAY_ENV=true
//@ threads: 16
//@ expect-stderr: OMP_THREADS_RESERVE structured(2),free_agent(3)
//@ stderr-may-hold-more:
//@ stock-fails: clang because libomp does not know the variable
//@ stock-fails: gcc because libgomp does not know the variable
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK_EQ(size, 5);
    CHECK_EQ(omp_get_thread_limit(), 8);
    return verdict();
}
