// A bad OMP_PROC_BIND gives one line that names it; regions work.
// OpenMP 5.1, 6.4
//@ env: OMP_PROC_BIND=tight
//@ threads: 1 2
//@ expect-stderr: OMP_PROC_BIND tight
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
