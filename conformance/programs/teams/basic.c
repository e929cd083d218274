// A league of a given size: each team once, its own initial thread alone, outside of all parallel regions.
// OpenMP 5.1, 2.7
//@ stock-fails: clang because libomp makes no more teams than there are CPUs
#include "check.h"

enum { TEAMS = 7 };

static int met[TEAMS], wrong;

// Called, because a compiler may refuse these right inside a teams construct.
static void visit(void) {
    int team = omp_get_team_num();
    if (team >= 0 && team < TEAMS) __atomic_fetch_add(&met[team], 1, __ATOMIC_RELAXED);
    int bad = omp_get_num_teams() != TEAMS || omp_get_thread_num() != 0 || omp_get_num_threads() != 1 || omp_get_level() != 0 ||
              omp_get_active_level() != 0 || omp_in_parallel() || omp_get_ancestor_thread_num(0) != 0 || omp_get_team_size(0) != 1;
    __atomic_fetch_add(&wrong, bad, __ATOMIC_RELAXED);
}

int main(void) {
#pragma omp teams num_teams(TEAMS)
    visit();
    CHECK_EQ(wrong, 0);
    for (int i = 0; i < TEAMS; i++) CHECK(met[i] == 1, "team %d: %d times", i, met[i]);
    CHECK_EQ(omp_get_num_teams(), 1);
    CHECK_EQ(omp_get_team_num(), 0);
    return verdict();
}
