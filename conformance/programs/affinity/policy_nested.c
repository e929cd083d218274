// A policy a nesting level: the inner regions of a spread one keep to the place partitions of their primary threads.
// OpenMP 5.1, 2.6.2, 6.4
//@ env: OMP_PLACES={0},{1},{0,1},{0},{1},{0,1},{0},{1}
//@ env: OMP_PROC_BIND=spread,close
//@ env: OMP_MAX_ACTIVE_LEVELS=3
#include "bound.h"

int main(void) {
    for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(4)
        {
            int outer = omp_get_thread_num();
            CHECK_EQ(omp_get_place_num(), 2 * outer);
            CHECK_EQ(omp_get_partition_num_places(), 2);
            CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_close);
#pragma omp parallel num_threads(2)
            {
                check_at(2 * outer + omp_get_thread_num());
                CHECK_EQ(omp_get_partition_num_places(), 2);
            }
#pragma omp parallel num_threads(2) proc_bind(spread)
            {
                check_at(2 * outer + omp_get_thread_num());
                CHECK_EQ(omp_get_partition_num_places(), 1);
            }
            CHECK_EQ(omp_get_partition_num_places(), 2);
            check_at(2 * outer);
        }
    }
    return verdict();
}
