// A bad OMP_NUM_TEAMS gives one line that names it, and the default.
//@ env: OMP_NUM_TEAMS=none
//@ threads: 2
//@ expect-stderr: OMP_NUM_TEAMS none using
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
