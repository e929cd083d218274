// The routines about places: their number, their processors, the partition's numbers; places that do not exist have none.
// OpenMP 5.1, 3.3
//@ env: OMP_PLACES={0},{0,1},{1},{0}
//@ env: OMP_PROC_BIND=close
#include "check.h"

int main(void) {
    static const int counts[] = {1, 2, 1, 1}, first[] = {0, 0, 1, 0};
    CHECK_EQ(omp_get_num_places(), 4);
    for (int place = 0; place < 4; place++) {
        int ids[3] = {-1, -1, -1};
        CHECK_EQ(omp_get_place_num_procs(place), counts[place]);
        omp_get_place_proc_ids(place, ids);
        CHECK_EQ(ids[0], first[place]);
        CHECK_EQ(ids[1], counts[place] == 2 ? 1 : -1);
        CHECK_EQ(ids[2], -1);
    }
    CHECK_EQ(omp_get_place_num_procs(4), 0);
    CHECK_EQ(omp_get_place_num_procs(-1), 0);
#pragma omp parallel
    {
        int nums[5] = {-1, -1, -1, -1, -1};
        CHECK_EQ(omp_get_partition_num_places(), 4);
        omp_get_partition_place_nums(nums);
        for (int i = 0; i < 4; i++) CHECK_EQ(nums[i], i);
        CHECK_EQ(nums[4], -1);
    }
    return verdict();
}
