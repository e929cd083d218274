// OMP_PROC_BIND=false leaves threads unbound.
// OpenMP 5.1, 6.4
//@ env: OMP_PROC_BIND=false
//@ threads: 1 2 8
#define _GNU_SOURCE
#include <sched.h>

#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_false);
    cpu_set_t all;
    CPU_ZERO(&all);
    sched_getaffinity(0, sizeof all, &all);
#pragma omp parallel
    {
        cpu_set_t own;
        CPU_ZERO(&own);
        sched_getaffinity(0, sizeof own, &own);
        CHECK(CPU_EQUAL(&all, &own), "bound to %d processors", CPU_COUNT(&own));
    }
    return verdict();
}
