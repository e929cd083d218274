// A bad OMP_DEFAULT_DEVICE gives one line that names it, and the default.
//@ env: OMP_DEFAULT_DEVICE=first
//@ threads: 2
//@ expect-stderr: OMP_DEFAULT_DEVICE first using
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
