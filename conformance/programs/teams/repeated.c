// Leagues and parallel regions by turns, of changing sizes: nothing of one is left in the next. OpenMP 5.1, 2.7
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads();
    for (int round = 0; round < 60; round++) {
        int teams = 0, members = 0, want = 1 + round % 4;
#pragma omp teams num_teams(want) reduction(+ : teams, members)
        {
            teams++;
#pragma omp parallel num_threads(2) reduction(+ : members)
            members++;
        }
        CHECK(teams >= 1 && teams <= want && members >= teams && members <= 2 * teams, "%d teams, %d threads", teams, members);
        int size = 0;
#pragma omp parallel num_threads(1 + round % 3) reduction(+ : size)
        {
            size++;
            CHECK_EQ(omp_get_num_teams(), 1);
            CHECK_EQ(omp_get_team_num(), 0);
            CHECK_EQ(omp_get_level(), 1);
        }
        CHECK_EQ(size, 1 + round % 3);
        CHECK_EQ(omp_get_max_threads(), threads);
    }
    return verdict();
}
