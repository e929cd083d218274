// In a teams region a pause is refused, and the league goes on.
// OpenMP 5.1, 3.6.1, restrictions
//@ stock-fails: gcc because it accepts the pause
//@ stock-fails: clang because it accepts the pause
#include "check.h"

// Routines may not be called right in a teams region.
static int pause_here(void) { return omp_pause_resource_all(omp_pause_soft) != 0; }

int main(void) {
    int refused = 0;
#pragma omp teams num_teams(2) reduction(+ : refused)
    {
        refused += pause_here();
#pragma omp parallel num_threads(2)
        CHECK(omp_get_num_threads() >= 1, "no team");
    }
    CHECK(refused >= 1, "%d", refused);
    CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0);
    return verdict();
}
