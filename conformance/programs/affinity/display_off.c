// Without OMP_DISPLAY_AFFINITY, or with false, nothing is displayed.
// OpenMP 5.1, 6.13
//@ env: OMP_DISPLAY_AFFINITY=false
//@ env: OMP_AFFINITY_FORMAT=SHOWN
//@ env: OMP_PLACES={0},{1}
//@ threads: 1 3
#include "shown.h"

int main(void) {
    catch_output();
    for (int threads = 1; threads < 4; threads++) {
#pragma omp parallel num_threads(threads)
        spin_work(10);
    }
    int lines = new_lines();
    release_output();
    CHECK_EQ(lines, 0);
    return verdict();
}
