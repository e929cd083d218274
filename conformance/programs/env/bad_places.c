// A bad OMP_PLACES gives one line that names it; regions work.
// OpenMP 5.1, 6.5
//@ env: OMP_PLACES={0,
//@ env: OMP_PROC_BIND=true
//@ threads: 1 2
//@ expect-stderr: OMP_PLACES {0,
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
