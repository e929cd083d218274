// KMP_SETTINGS prints what the user has set and what is in force.
//@ env: KMP_SETTINGS=1
//@ env: OMP_NUM_THREADS=3
//@ expect-stderr: User settings:
//@ expect-stderr: Effective settings:
//@ expect-stderr: OMP_NUM_THREADS='3'
//@ expect-stderr: OMP_THREAD_LIMIT
//@ stderr-may-hold-more:
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_max_threads(), 3);
    return verdict();
}
