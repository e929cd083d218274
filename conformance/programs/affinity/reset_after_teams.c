// KMP_AFFINITY's reset holds for a league too: behind it the thread that encountered it may run wherever it could before, and so
// behind a parallel region. OpenMP has no such modifier; libomp's documentation describes it
//@ env: KMP_AFFINITY=compact,reset
//@ env: KMP_TEAMS_PROC_BIND=spread
#define _GNU_SOURCE
#include <sched.h>

#include "check.h"

static int cpus(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : -1;
}

int main(void) {
    int before = cpus();
    for (int round = 0; round < 3; round++) {
        int teams = 0, threads = 0;
#pragma omp teams num_teams(2) reduction(+ : teams)
        teams++;
        CHECK_EQ(cpus(), before);
#pragma omp parallel reduction(+ : threads)
        threads++;
        CHECK_EQ(cpus(), before);
        CHECK(teams >= 1 && threads >= 1, "%d teams, %d threads", teams, threads);
    }
    return verdict();
}
