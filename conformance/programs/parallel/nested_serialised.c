// Beyond max-active-levels, nested regions get teams of one and the levels still count.
// OpenMP 5.1, 2.6.1 and 3.2.15
#include "check.h"

int main(void) {
    int want = omp_get_max_threads(), inner_runs = 0;
    omp_set_max_active_levels(1);
#pragma omp parallel reduction(+ : inner_runs)
    {
        int number = omp_get_thread_num();
        for (int i = 0; i < 5; i++) {
#pragma omp parallel num_threads(4) if (want > 1)
            {
                CHECK_EQ(omp_get_num_threads(), 1);
                CHECK_EQ(omp_get_thread_num(), 0);
                CHECK_EQ(omp_get_level(), 2);
                CHECK_EQ(omp_get_active_level(), want > 1);
                CHECK_EQ(omp_get_ancestor_thread_num(1), number);
                CHECK_EQ(omp_get_team_size(1), want);
#pragma omp parallel num_threads(2) if (want > 1)
                {
                    CHECK_EQ(omp_get_level(), 3);
                    CHECK_EQ(omp_get_team_size(3), 1);
                    inner_runs++;
                }
            }
        }
        CHECK_EQ(omp_get_thread_num(), number);
        CHECK_EQ(omp_get_level(), 1);
    }
    CHECK_EQ(inner_runs, want * 5);
    return verdict();
}
