// target teams: numbers of teams and threads as asked for, each team and thread once. OpenMP 5.1, 2.7, 2.14.5
//@ devices: 1 3
//@ stock-fails: clang because it makes no more teams than there are processors
//@ stock-fails: offload because it makes no more teams than there are processors
#include "device.h"

#define TEAMS 4

// The routines may not be called by a teams region itself.
#pragma omp declare target
static int level(void) { return omp_get_level(); }
static int threads(void) { return omp_get_num_threads(); }
static int limit(void) { return omp_get_thread_limit(); }
#pragma omp end declare target

int main(void) {
    int teams = 0, seen[TEAMS] = {0}, sizes[TEAMS] = {0}, counts[TEAMS] = {0};
#pragma omp target teams num_teams(TEAMS) thread_limit(3) map(from : teams) map(tofrom : seen, sizes, counts)
    {
        int team = omp_get_team_num();
        seen[team]++;
        if (team == 0) teams = omp_get_num_teams();
        int count = 0;
#pragma omp parallel num_threads(3) reduction(+ : count)
        {
            count++;
#pragma omp single
            sizes[team] = omp_get_num_threads();
        }
        counts[team] = count;
    }
    CHECK_EQ(teams, TEAMS);
    for (int i = 0; i < TEAMS; i++) {
        CHECK_EQ(seen[i], 1);
        CHECK(sizes[i] >= 1 && sizes[i] <= 3, "%d threads", sizes[i]);
        CHECK_EQ(counts[i], sizes[i]);
    }
    int got[3] = {-1, -1, -1};
#pragma omp target teams num_teams(1) thread_limit(2) map(from : got)
    {
        got[0] = level();
        got[1] = threads();
        got[2] = limit();
    }
    CHECK_EQ(got[0], 0);
    CHECK_EQ(got[1], 1);
    CHECK_EQ(got[2], 2);
    return verdict();
}
