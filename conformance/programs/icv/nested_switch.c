// omp_set_nested turns nested parallelism on and off; omp_get_nested follows max-active-levels.
// OpenMP 5.1, 3.2.9 and 3.2.10 (deprecated)
//@ flags: -Wno-deprecated-declarations
//@ env: KMP_WARNINGS=0
//@ threads: 1 2 3
#include "check.h"

static int inner_size(void) {
    int size = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp master
            {
#pragma omp atomic write
                size = omp_get_num_threads();
            }
        }
    }
    return size;
}

int main(void) {
    omp_set_nested(0);
    CHECK_EQ(omp_get_nested(), 0);
    CHECK_EQ(inner_size(), 1);
    omp_set_nested(1);
    CHECK_EQ(omp_get_nested(), 1);
    CHECK(omp_get_max_active_levels() > 1, "%d", omp_get_max_active_levels());
    CHECK_EQ(inner_size(), 2);
    omp_set_nested(0);
    CHECK_EQ(omp_get_nested(), 0);
    CHECK_EQ(inner_size(), 1);
    return verdict();
}
