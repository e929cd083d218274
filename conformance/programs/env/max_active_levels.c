// OMP_MAX_ACTIVE_LEVELS bounds nesting.
// OpenMP 5.1, 6.8
//@ env: OMP_MAX_ACTIVE_LEVELS=2
//@ threads: 1 2
#include "check.h"

int main(void) {
    int total = 0;
    CHECK_EQ(omp_get_max_active_levels(), 2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    {
        CHECK_EQ(omp_get_active_level(), 2);
        CHECK_EQ(omp_get_level(), 3);
#pragma omp atomic
        total++;
    }
    CHECK_EQ(total, 4);
    return verdict();
}
