// KMP_TEAMS_THREAD_LIMIT bounds the threads of all teams of a league together.
//@ env: KMP_TEAMS_THREAD_LIMIT=4
//@ env: OMP_NUM_THREADS=6
//@ env: KMP_WARNINGS=0
//@ stock-fails: gcc because it does not know the variable
#include "check.h"

int main(void) {
    int largest = 0, teams = 0;
#pragma omp teams num_teams(1) thread_limit(9) reduction(max : largest, teams)
    {
        teams = omp_get_num_teams();
#pragma omp parallel reduction(max : largest)
        largest = omp_get_num_threads();
    }
    CHECK_EQ(teams, 1);
    CHECK(largest >= 1 && largest <= 4, "%d", largest);
    return verdict();
}
