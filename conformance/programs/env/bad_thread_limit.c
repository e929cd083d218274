// A bad OMP_THREAD_LIMIT gives one line that names it, and no limit.
// OpenMP 5.1, 6.10
//@ env: OMP_THREAD_LIMIT=none
//@ threads: 1 3
//@ expect-stderr: OMP_THREAD_LIMIT none
#include "check.h"

int main(void) {
    CHECK(omp_get_thread_limit() >= 33, "%d", omp_get_thread_limit());
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
