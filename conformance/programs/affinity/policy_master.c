// OMP_PROC_BIND=master, the older name of primary.
// OpenMP 5.1, 6.4
//@ env: OMP_PLACES={1},{0}
//@ env: OMP_PROC_BIND= Master
#include "bound.h"

int main(void) {
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_master);
#pragma omp parallel num_threads(4)
    {
        check_at(0);
        cpu_set_t own = own_mask();
        CHECK(CPU_ISSET(1, &own), "place 0 is processor 1");
    }
    return verdict();
}
