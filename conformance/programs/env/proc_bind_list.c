// A list in OMP_PROC_BIND gives each nesting level its policy.
// OpenMP 5.1, 6.4
//@ env: OMP_PROC_BIND=spread,close
//@ env: OMP_PLACES=threads
//@ env: OMP_MAX_ACTIVE_LEVELS=2
//@ threads: 1 2 3
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_spread);
#pragma omp parallel
    {
        CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_close);
    }
    return verdict();
}
