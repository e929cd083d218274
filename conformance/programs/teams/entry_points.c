// GOMP_teams4 has the program run one team after the other; GOMP_teams sets the thread limit only. Called as gcc calls them in
// a target region. OpenMP 5.1, 2.7
//@ compilers: gcc
//@ needs: gcc 12
//@ threads: 1 2
#include <stdbool.h>

#include "check.h"

bool GOMP_teams4(unsigned, unsigned, unsigned, bool);

int main(void) {
    int count = 0, inside = 0;
    bool first = true;
    while (GOMP_teams4(3, 5, 0, first)) {
        first = false;
        CHECK_EQ(omp_get_num_teams(), 3);
        CHECK_EQ(omp_get_team_num(), count);
        CHECK_EQ(omp_get_level(), 0);
        count++;
#pragma omp parallel num_threads(2) reduction(+ : inside)
        {
            inside++;
            CHECK_EQ(omp_get_team_num(), count - 1);
        }
    }
    CHECK_EQ(count, 3);
    CHECK_EQ(inside, 6);
    return verdict();
}
