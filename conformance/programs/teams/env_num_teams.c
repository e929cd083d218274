// OMP_NUM_TEAMS and OMP_TEAMS_THREAD_LIMIT are the defaults of teams constructs; clauses count more. OpenMP 5.1, 6.23, 6.24
//@ env: OMP_NUM_TEAMS=3
//@ env: OMP_TEAMS_THREAD_LIMIT=2
//@ threads: 1 2
//@ needs: gcc 12
#include "check.h"

static void check_limit(void) { CHECK_EQ(omp_get_thread_limit(), 1); }

int main(void) {
    CHECK_EQ(omp_get_max_teams(), 3);
    CHECK_EQ(omp_get_teams_thread_limit(), 2);
    int teams = 0, other = 0;
#pragma omp teams reduction(+ : teams)
    {
        teams++;
#pragma omp parallel num_threads(5)
        CHECK(omp_get_num_threads() <= 2, "%d threads", omp_get_num_threads());
    }
    CHECK(teams >= 1 && teams <= 3, "%d teams", teams);
#pragma omp teams num_teams(1) thread_limit(1) reduction(+ : other)
    {
        other++;
        check_limit();
    }
    CHECK_EQ(other, 1);
    return verdict();
}
