// A bad OMP_MAX_ACTIVE_LEVELS gives one line that names it, and the default.
// OpenMP 5.1, 6.8
//@ env: OMP_MAX_ACTIVE_LEVELS=-2
//@ threads: 1 2
//@ expect-stderr: OMP_MAX_ACTIVE_LEVELS -2
#include "check.h"

int main(void) {
    CHECK(omp_get_max_active_levels() >= 1, "%d", omp_get_max_active_levels());
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
