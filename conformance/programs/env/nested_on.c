// OMP_NESTED=true lets nested regions be active.
// OpenMP 5.1, 6.9 (deprecated)
//@ env: OMP_NESTED=true
//@ env: KMP_WARNINGS=0
//@ threads: 2
//@ stderr-may-hold-more:
#include "check.h"

int main(void) {
    int inner = 0;
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2) 
    {
#pragma omp atomic
        inner++;
    }
    CHECK(omp_get_max_active_levels() > 1, "%d", omp_get_max_active_levels());
    CHECK_EQ(inner, 4);
    return verdict();
}
