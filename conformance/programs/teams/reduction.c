// A reduction on teams: every team's value is in the result, for several operators and types at once, also those without an
// atomic operation. OpenMP 5.1, 2.21.5
//@ libs: atomic
#include <complex.h>

#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int teams = 0, bits = 0;
        double product = 1;
        long double wide = 0;
        double complex z = 0;
        int highest = -1;
#pragma omp teams num_teams(5) reduction(+ : teams, wide, z) reduction(* : product) reduction(| : bits) reduction(max : highest)
        {
            teams++;
            bits |= 1 << omp_get_team_num();
            product *= 2;
            wide += omp_get_team_num();
            z += 1 + 2 * I;
            highest = omp_get_team_num();
        }
        CHECK(teams >= 1 && teams <= 5, "%d teams", teams);
        CHECK_EQ(bits, (1 << teams) - 1);
        CHECK_EQ(highest, teams - 1);
        CHECK_EQ(product, 1 << teams);
        CHECK_EQ(wide, teams * (teams - 1) / 2);
        CHECK_EQ(creal(z) + cimag(z), 3 * teams);
    }
    return verdict();
}
