// The routines of OpenMP 3.1 outside regions and inside: sizes, numbers, levels, dynamic, nested, limits.
// OpenMP 5.1, 3.2
#include "check.h"

int main(void) {
    int want = omp_get_max_threads();
    CHECK(omp_get_num_procs() >= 1, "%d", omp_get_num_procs());
    CHECK(omp_get_thread_limit() >= want, "%d", omp_get_thread_limit());
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_thread_num(), 0);
    CHECK_EQ(omp_in_parallel(), 0);
    CHECK_EQ(omp_get_level(), 0);
    CHECK_EQ(omp_get_active_level(), 0);
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK_EQ(omp_get_ancestor_thread_num(1), -1);
    CHECK_EQ(omp_get_team_size(0), 1);
    CHECK_EQ(omp_get_team_size(1), -1);
    CHECK_EQ(omp_in_final(), 0);
    CHECK_EQ(omp_get_dynamic(), 0);
    omp_set_dynamic(1);
    CHECK_EQ(omp_get_dynamic(), 1);
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    CHECK(size >= 1 && size <= want, "%d", size);
    omp_set_dynamic(0);
    CHECK_EQ(omp_get_dynamic(), 0);
    omp_set_max_active_levels(3);
    CHECK_EQ(omp_get_max_active_levels(), 3);
    omp_set_max_active_levels(1);
    CHECK_EQ(omp_get_max_active_levels(), 1);
    omp_set_num_threads(5);
    CHECK_EQ(omp_get_max_threads(), 5);
    omp_set_num_threads(want);
#pragma omp parallel
    {
        CHECK_EQ(omp_get_max_threads(), want);
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(omp_get_ancestor_thread_num(1), omp_get_thread_num());
        CHECK_EQ(omp_get_team_size(1), want);
        CHECK_EQ(omp_get_num_procs() >= 1, 1);
    }
    return verdict();
}
