// The teams of a league stay apart: each has a part of the places, and the parallel regions in it stay within that part.
// OpenMP 5.1, 2.6.2, 2.7
//@ env: OMP_PLACES={0},{1},{0},{1}
//@ env: OMP_PROC_BIND=close
//@ env: OMP_NUM_THREADS=2
//@ stock-fails: gcc because libgomp executes the teams one after the other on one thread, with all of the places
#include "bound.h"

static int covered[4];

// What one team does.
static void team(void) {
    int count = omp_get_partition_num_places(), nums[4];
    CHECK_EQ(count, 2);
    if (count != 2) return;
    omp_get_partition_place_nums(nums);
    for (int i = 0; i < count; i++) __atomic_fetch_add(&covered[nums[i]], 1, __ATOMIC_RELAXED);
#pragma omp parallel num_threads(2)
    {
        int place = omp_get_place_num(), inside = 0;
        for (int i = 0; i < count; i++) inside |= nums[i] == place;
        CHECK(inside, "thread %d of team %d is at place %d", omp_get_thread_num(), omp_get_team_num(), place);
        check_at(place);
    }
}

int main(void) {
#pragma omp teams num_teams(2)
    team();
    for (int i = 0; i < 4; i++) CHECK_EQ(covered[i], 1);
    CHECK_EQ(omp_get_partition_num_places(), 4);
    return verdict();
}
