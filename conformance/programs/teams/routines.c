// omp_set_num_teams and omp_set_teams_thread_limit set what a teams construct without clauses does, and are told back.
// OpenMP 5.1, 3.4
//@ threads: 1 2
//@ needs: gcc 12
#include "check.h"

// clang's omp.h knows them since version 12, gcc's since 12.
int main(void) {
    CHECK_EQ(omp_get_max_teams(), 0);
    CHECK_EQ(omp_get_teams_thread_limit(), 0);
    omp_set_num_teams(2);
    omp_set_teams_thread_limit(2);
    CHECK_EQ(omp_get_max_teams(), 2);
    CHECK_EQ(omp_get_teams_thread_limit(), 2);
    int teams = 0;
#pragma omp teams reduction(+ : teams)
    {
        teams++;
        CHECK(omp_get_num_teams() <= 2, "%d teams", omp_get_num_teams());
#pragma omp parallel num_threads(4)
        CHECK(omp_get_num_threads() <= 2, "%d threads", omp_get_num_threads());
    }
    CHECK(teams >= 1 && teams <= 2, "%d", teams);
    return verdict();
}
