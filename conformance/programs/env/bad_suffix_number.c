// A suffix that is no device number is named in one line.
// OpenMP 5.1, 2.4.2
//@ env: OMP_NUM_THREADS_DEV_first=4
//@ threads: 2
//@ expect-stderr: OMP_NUM_THREADS_DEV_first not a device number
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_max_threads(), 2);
    return verdict();
}
