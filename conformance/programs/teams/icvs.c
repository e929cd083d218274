// Each initial task of a league has ICVs of its own, which begin as the encountering task's. OpenMP 5.1, 2.4.3
//@ stock-fails: gcc because libgomp runs all teams in the encountering task
#include "check.h"

// Called, because a compiler may refuse these right inside a teams construct.
static void visit(void) {
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(kind, omp_sched_dynamic);
    CHECK_EQ(chunk, 5);
    CHECK_EQ(omp_get_max_active_levels(), 4);
    omp_set_schedule(omp_sched_guided, 7 + omp_get_team_num());
    omp_set_num_threads(1 + omp_get_team_num());
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(chunk, 7 + omp_get_team_num());
    CHECK_EQ(omp_get_max_threads(), 1 + omp_get_team_num());
}

int main(void) {
    omp_set_schedule(omp_sched_dynamic, 5);
    omp_set_max_active_levels(4);
    omp_set_num_threads(3);
#pragma omp teams num_teams(3) thread_limit(8)
    visit();
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(kind, omp_sched_dynamic);
    CHECK_EQ(chunk, 5);
    CHECK_EQ(omp_get_max_threads(), 3);
    return verdict();
}
