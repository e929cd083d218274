// Empty values of the variables count as unset, or are named; nothing crashes.
// OpenMP 5.1, 6
//@ env: OMP_SCHEDULE=
//@ env: OMP_DYNAMIC=
//@ env: OMP_STACKSIZE=
//@ threads: 1 2
//@ stderr-may-hold-more:
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
