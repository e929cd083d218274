// Leagues of far more teams than there are CPUs, and threads in each of them. OpenMP 5.1, 2.7
//@ stock-fails: clang because libomp makes no more teams than there are CPUs
#include "check.h"

enum { TEAMS = 500 };

int main(void) {
    static int met[TEAMS];
    int teams = 0, threads = 0;
#pragma omp teams num_teams(TEAMS) reduction(+ : teams, threads)
    {
        teams++;
        int mine = 0;
#pragma omp parallel num_threads(2) reduction(+ : mine)
        mine++;
        threads += mine;
        met[omp_get_team_num()]++;
    }
    CHECK_EQ(teams, TEAMS);
    CHECK(threads >= TEAMS && threads <= 2 * TEAMS, "%d", threads);
    for (int i = 0; i < TEAMS; i++) CHECK(met[i] == 1, "team %d: %d", i, met[i]);
    return verdict();
}
