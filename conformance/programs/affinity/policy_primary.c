// OMP_PROC_BIND=primary: every thread runs at the primary thread's place, and the place partition stays whole.
// OpenMP 5.1, 2.6.2
//@ env: OMP_PLACES={0},{1}
//@ env: OMP_PROC_BIND=primary
#include "bound.h"

int main(void) {
    CHECK_EQ(omp_get_proc_bind(), 2);
    CHECK_EQ(omp_get_num_places(), 2);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(5)
        {
            check_at(0);
            CHECK_EQ(omp_get_partition_num_places(), 2);
        }
    }
    return verdict();
}
