// OMP_TOOL=disabled: no tool is looked for, and the program runs as ever.
// OpenMP 5.1, 6.18
//@ env: OMP_TOOL=disabled
//@ threads: 1 3
//@ checker: no because the tool is disabled
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
