// A thread limit that no integer holds is none.
// OpenMP 5.1, 6.10
//@ env: OMP_THREAD_LIMIT=99999999999
//@ threads: 1 3
//@ stderr-may-hold-more:
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    CHECK(omp_get_thread_limit() > 1000, "%d", omp_get_thread_limit());
    return verdict();
}
