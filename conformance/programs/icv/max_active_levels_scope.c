// max-active-levels-var bounds active levels alone, is a task's own, and takes no negative number.
// OpenMP 5.1, 3.2.14-16
//@ stderr-may-hold-more:
//@ needs: gcc 11
#include "check.h"

int main(void) {
    CHECK(omp_get_supported_active_levels() >= 1, "%d", omp_get_supported_active_levels());
    omp_set_dynamic(0);
    omp_set_max_active_levels(1);
    omp_set_max_active_levels(-5);
    CHECK_EQ(omp_get_max_active_levels(), 1);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        CHECK_EQ(omp_get_num_threads(), 1);
        omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
        {
            CHECK_EQ(omp_get_num_threads(), 2);
            CHECK_EQ(omp_get_active_level(), 2);
            CHECK_EQ(omp_get_level(), 2);
        }
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
        {
            CHECK_EQ(omp_get_num_threads(), 2);
            CHECK_EQ(omp_get_level(), 3);
            CHECK_EQ(omp_get_active_level(), 2);
        }
    }
    CHECK_EQ(omp_get_max_active_levels(), 1);
    omp_set_max_active_levels(0);
#pragma omp parallel num_threads(4)
    {
        CHECK_EQ(omp_get_num_threads(), 1);
        CHECK_EQ(omp_in_parallel(), 0);
    }
    return verdict();
}
