// Six levels of nesting, all active: each level has its team, ancestors and levels are right all the way down and back up.
// OpenMP 5.1, 2.6.1, 3.2.17 to 3.2.20
//@ threads: 2
#include "check.h"

enum { DEPTH = 6 };

static int leaves;

static void descend(int level) {
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_active_level(), level);
    for (int l = 1; l <= level; l++) CHECK_EQ(omp_get_team_size(l), l == DEPTH ? 3 : 2);
    if (level == DEPTH) {
#pragma omp atomic
        leaves++;
        return;
    }
    int me = omp_get_thread_num();
#pragma omp parallel num_threads(level == DEPTH - 1 ? 3 : 2)
    {
        CHECK_EQ(omp_get_ancestor_thread_num(level), me);
        descend(level + 1);
        CHECK_EQ(omp_get_level(), level + 1);
    }
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_thread_num(), me);
}

int main(void) {
    omp_set_max_active_levels(DEPTH);
    descend(0);
    CHECK_EQ(leaves, 96);
    return verdict();
}
