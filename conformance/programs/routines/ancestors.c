// omp_get_ancestor_thread_num and omp_get_team_size tell of every level around the caller, and -1 of others.
// OpenMP 5.1, 3.2.18, 3.2.19
#include "check.h"

int main(void) {
    omp_set_dynamic(0);
    omp_set_max_active_levels(8);
    CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
    CHECK_EQ(omp_get_team_size(0), 1);
    CHECK_EQ(omp_get_ancestor_thread_num(1), -1);
    CHECK_EQ(omp_get_team_size(-1), -1);
#pragma omp parallel num_threads(3)
    {
        int first = omp_get_thread_num();
#pragma omp parallel num_threads(1)
#pragma omp parallel num_threads(2)
        {
            int third = omp_get_thread_num();
            CHECK_EQ(omp_get_level(), 3);
            CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
            CHECK_EQ(omp_get_ancestor_thread_num(1), first);
            CHECK_EQ(omp_get_ancestor_thread_num(2), 0);
            CHECK_EQ(omp_get_ancestor_thread_num(3), third);
            CHECK_EQ(omp_get_ancestor_thread_num(4), -1);
            CHECK_EQ(omp_get_ancestor_thread_num(-1), -1);
            CHECK_EQ(omp_get_team_size(0), 1);
            CHECK_EQ(omp_get_team_size(1), 3);
            CHECK_EQ(omp_get_team_size(2), 1);
            CHECK_EQ(omp_get_team_size(3), 2);
            CHECK_EQ(omp_get_team_size(4), -1);
#pragma omp task if (0) shared(first)
            {
                CHECK_EQ(omp_get_ancestor_thread_num(1), first);
                CHECK_EQ(omp_get_team_size(3), 2);
            }
        }
    }
    return verdict();
}
