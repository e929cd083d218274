// A bad OMP_CANCELLATION gives one line that names it, and no cancellation.
// OpenMP 5.1, 6.11
//@ env: OMP_CANCELLATION=2nd
//@ threads: 1 2
//@ expect-stderr: OMP_CANCELLATION 2nd
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_cancellation(), 0);
    return verdict();
}
