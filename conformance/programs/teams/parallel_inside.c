// Parallel regions in the teams of a league: own thread numbers, own barriers, levels counted from the team's initial task.
// OpenMP 5.1, 2.6, 2.7
//@ stock-fails: clang because libomp makes no more teams than there are CPUs
#include "check.h"

enum { TEAMS = 4, MOST = 64 };

int main(void) {
    int threads = omp_get_max_threads(), met[TEAMS][MOST] = {{0}}, sizes[TEAMS] = {0};
    omp_set_num_threads(threads);
#pragma omp teams num_teams(TEAMS) thread_limit(MOST) shared(met, sizes)
    {
        int mine = 0;
#pragma omp parallel num_threads(threads) shared(mine)
        {
            int team = omp_get_team_num(), size = omp_get_num_threads();
            CHECK_EQ(omp_get_num_teams(), TEAMS);
            CHECK_EQ(omp_get_level(), 1);
            CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
            CHECK_EQ(omp_get_team_size(0), 1);
            CHECK_EQ(omp_get_team_size(1), size);
#pragma omp atomic
            met[team][omp_get_thread_num()]++;
#pragma omp atomic
            mine++;
#pragma omp barrier
            CHECK_EQ(mine, size);
#pragma omp single
            sizes[team] = size;
        }
    }
    for (int team = 0; team < TEAMS; team++) {
        CHECK_EQ(sizes[team], threads);
        for (int i = 0; i < MOST; i++) CHECK(met[team][i] == (i < threads), "team %d thread %d: %d", team, i, met[team][i]);
    }
    return verdict();
}
