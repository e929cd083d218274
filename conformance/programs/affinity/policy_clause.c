// The proc_bind clause stands above OMP_PROC_BIND, region by region; threads of one team move to and fro.
// OpenMP 5.1, 2.6.2
//@ env: OMP_PLACES={0},{1},{0},{1}
//@ env: OMP_PROC_BIND=close
#include "bound.h"

int main(void) {
    for (int round = 0; round < 5; round++) {
#pragma omp parallel num_threads(2) proc_bind(spread)
        {
            check_at(2 * omp_get_thread_num());
            CHECK_EQ(omp_get_partition_num_places(), 2);
        }
#pragma omp parallel num_threads(2) proc_bind(master)
        {
            check_at(0);
            CHECK_EQ(omp_get_partition_num_places(), 4);
        }
#pragma omp parallel num_threads(4) proc_bind(close)
        check_at(omp_get_thread_num());
#pragma omp parallel num_threads(3)
        check_at(omp_get_thread_num());
    }
    return verdict();
}
