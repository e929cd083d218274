// Teams inside a team, each with doacross loops of its own at the same time: posts of one are not seen by another.
// OpenMP 5.1, 2.19.9
//@ threads: 1 2 3 8
//@ stock-fails: gcc because its waits never give up the CPU, which takes minutes with more threads than CPUs
#include "check.h"

enum { TEAMS = 3, N = 30 };

static int value[TEAMS][N + 1];

int main(void) {
    omp_set_max_active_levels(2);
    int inner = omp_get_max_threads();
    for (int round = 0; round < 5; round++) {
        __builtin_memset(value, 0, sizeof value);
#pragma omp parallel num_threads(TEAMS)
        {
            int *mine = value[omp_get_thread_num()];
            for (int team = omp_get_thread_num(); team < TEAMS; team += omp_get_num_threads()) {
                mine = value[team];
#pragma omp parallel num_threads(inner) firstprivate(mine, team)
                for (int k = 0; k < 2; k++) {
#pragma omp for ordered(1) schedule(static, 1)
                    for (int i = 1; i <= N; i++) {
#pragma omp ordered depend(sink : i - 1)
                        mine[i] += mine[i - 1] + team + 1;
#pragma omp ordered depend(source)
                    }
                }
            }
        }
        for (int team = 0; team < TEAMS; team++)
            for (int i = 1; i <= N; i++) {
                // The first sweep leaves i * (team + 1); the second adds a prefix sum of both.
                int before = 0;
                for (int k = 1; k <= i; k++) before = k * (team + 1) + before + team + 1;
                CHECK(value[team][i] == before, "team %d: %d is %d instead of %d", team, i, value[team][i], before);
            }
    }
    return verdict();
}
