// With places defined, threads are bound: every thread of a region runs within the machine's processors, and results stand.
// OpenMP 5.1, 2.6.2 and 6.5 (OMP_PLACES)
//@ threads: 1 2 3 8
//@ env: OMP_PLACES=threads
//@ env: OMP_PROC_BIND=close,spread
#define _GNU_SOURCE
#include <sched.h>

#include "check.h"

int main(void) {
    int want = omp_get_max_threads(), count = 0, bound = 0;
    CHECK(omp_get_proc_bind() == omp_proc_bind_close, "%d", (int)omp_get_proc_bind());
    for (int round = 0; round < 5; round++) {
#pragma omp parallel reduction(+ : count, bound)
        {
            cpu_set_t mask;
            CPU_ZERO(&mask);
            CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
            bound += CPU_COUNT(&mask) == 1;
            count++;
        }
    }
    CHECK_EQ(count, 5 * want);
    CHECK_EQ(bound, 5 * want);
    return verdict();
}
