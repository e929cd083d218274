// A bad OMP_TEAMS_THREAD_LIMIT gives one line that names it, and the default.
//@ env: OMP_TEAMS_THREAD_LIMIT=-2
//@ threads: 2
//@ expect-stderr: OMP_TEAMS_THREAD_LIMIT -2 using
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
