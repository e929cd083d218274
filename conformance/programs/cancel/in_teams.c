// cancel in the parallel regions of a league: each team's region for itself. OpenMP 5.1, 2.20.1, 2.7
//@ env: OMP_CANCELLATION=true
#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int past = 0, kept = 0, kept_size = 0;
#pragma omp teams num_teams(2) shared(past, kept, kept_size)
        {
            int team = omp_get_team_num();
#pragma omp parallel num_threads(3) shared(past, kept, kept_size, team)
            {
                if (team == 0) {
#pragma omp cancel parallel
                    __atomic_fetch_add(&past, 1, __ATOMIC_RELAXED);
                } else {
                    __atomic_fetch_add(&kept_size, 1, __ATOMIC_RELAXED);
                }
#pragma omp barrier
                __atomic_fetch_add(&kept, 1, __ATOMIC_RELAXED);
            }
        }
        CHECK_EQ(past, 0);
        CHECK_EQ(kept, kept_size);
    }
    return verdict();
}
