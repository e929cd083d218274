// With all warnings wanted, OMP_NESTED is called deprecated; it has its effect.
// OpenMP 5.1, 6.9
//@ env: KMP_WARNINGS=1
//@ env: OMP_NESTED=true
//@ threads: 2
//@ expect-stderr: OMP_NESTED deprecated
#include "check.h"

int main(void) {
    CHECK(omp_get_max_active_levels() > 1, "%d", omp_get_max_active_levels());
    return verdict();
}
