// Nested regions are real up to max-active-levels: team sizes, levels, ancestors, and team sizes of outer levels.
// OpenMP 5.1, 2.6.1 and 3.2.15 to 3.2.19
//@ threads: 1 2 3 5
#include "check.h"

int main(void) {
    int outer = omp_get_max_threads(), inner = 3, total = 0;
    omp_set_max_active_levels(2);
    CHECK_EQ(omp_get_max_active_levels(), 2);
    for (int round = 0; round < 5; round++) {
        total = 0;
#pragma omp parallel num_threads(outer)
        {
            int mine = omp_get_thread_num(), seen[3] = {0};
            CHECK_EQ(omp_get_level(), 1);
#pragma omp parallel num_threads(inner)
            {
                CHECK_EQ(omp_get_level(), 2);
                CHECK_EQ(omp_get_num_threads(), inner);
                CHECK_EQ(omp_get_ancestor_thread_num(1), mine);
                CHECK_EQ(omp_get_ancestor_thread_num(2), omp_get_thread_num());
                CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
                CHECK_EQ(omp_get_ancestor_thread_num(3), -1);
                CHECK_EQ(omp_get_ancestor_thread_num(-1), -1);
                CHECK_EQ(omp_get_team_size(0), 1);
                CHECK_EQ(omp_get_team_size(1), outer);
                CHECK_EQ(omp_get_team_size(2), inner);
                CHECK_EQ(omp_get_team_size(3), -1);
                CHECK_EQ(omp_get_active_level(), outer > 1 ? 2 : 1);
                seen[omp_get_thread_num()]++;
#pragma omp atomic
                total++;
            }
            for (int i = 0; i < inner; i++) CHECK_EQ(seen[i], 1);
            CHECK_EQ(omp_get_thread_num(), mine);
            CHECK_EQ(omp_get_num_threads(), outer);
        }
        CHECK_EQ(total, outer * inner);
    }
    return verdict();
}
