// proc_bind of nested regions: spread divides the place partition, and the regions inside stay in their part; primary and close
// leave it. OpenMP 5.1, 2.6.2, 3.3
//@ stock-fails: clang because libomp does not know the number by which clang passes primary
//@ env: OMP_PLACES={0},{0},{0},{0}
//@ env: OMP_PROC_BIND=true
//@ env: OMP_MAX_ACTIVE_LEVELS=3
//@ threads: 4
//@ needs: gcc 12
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_num_places(), 4);
#pragma omp parallel num_threads(2) proc_bind(spread)
    {
        int outer = omp_get_thread_num(), part = omp_get_partition_num_places(), nums[4] = {-1, -1, -1, -1};
        CHECK_EQ(part, 2);
        omp_get_partition_place_nums(nums);
        CHECK_EQ(nums[0], 2 * outer);
        CHECK_EQ(nums[1], 2 * outer + 1);
        CHECK_EQ(omp_get_place_num(), 2 * outer);
#pragma omp parallel num_threads(2) proc_bind(close)
        {
            CHECK_EQ(omp_get_partition_num_places(), 2);
            CHECK_EQ(omp_get_place_num(), 2 * outer + omp_get_thread_num());
        }
#pragma omp parallel num_threads(2) proc_bind(primary)
        {
            CHECK_EQ(omp_get_partition_num_places(), 2);
            CHECK_EQ(omp_get_place_num(), 2 * outer);
        }
#pragma omp parallel num_threads(2) proc_bind(spread)
        {
            CHECK_EQ(omp_get_partition_num_places(), 1);
            CHECK_EQ(omp_get_place_num(), 2 * outer + omp_get_thread_num());
        }
    }
#pragma omp parallel num_threads(4) proc_bind(close)
    {
        CHECK_EQ(omp_get_partition_num_places(), 4);
        CHECK_EQ(omp_get_place_num(), omp_get_thread_num());
    }
    return verdict();
}
