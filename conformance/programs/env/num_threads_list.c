// A list in OMP_NUM_THREADS sizes the teams of each nesting level, the last value the deeper ones too.
// OpenMP 5.1, 6.2
//@ env: OMP_NUM_THREADS=4,3,2
//@ env: OMP_MAX_ACTIVE_LEVELS=4
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_max_threads(), 4);
    int total = 0;
#pragma omp parallel
    {
        CHECK_EQ(omp_get_num_threads(), 4);
        CHECK_EQ(omp_get_max_threads(), 3);
#pragma omp parallel
        {
            CHECK_EQ(omp_get_num_threads(), 3);
            CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp parallel
            {
                CHECK_EQ(omp_get_num_threads(), 2);
                CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp atomic
                total++;
            }
        }
    }
    CHECK_EQ(total, 24);
    return verdict();
}
