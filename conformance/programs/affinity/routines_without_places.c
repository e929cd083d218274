// The routines about places where there are none.
// OpenMP 5.1, 3.3
#include "check.h"

int main(void) {
    int untouched = 77;
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_false);
#pragma omp parallel
    {
        CHECK_EQ(omp_get_place_num_procs(-1), 0);
        CHECK_EQ(omp_get_place_num_procs(1000000), 0);
        omp_get_place_proc_ids(1000000, &untouched);
        omp_get_place_proc_ids(-1, &untouched);
    }
    CHECK_EQ(untouched, 77);
    CHECK(omp_get_num_procs() >= 1, "%d", omp_get_num_procs());
    return verdict();
}
