// OMP_PROC_BIND=spread: the place partition is divided among the threads, which stand at the beginning of their parts.
// OpenMP 5.1, 2.6.2
//@ env: OMP_PLACES={0},{1},{0,1},{0},{1},{0,1}
//@ env: OMP_PROC_BIND=spread
#include "bound.h"

int main(void) {
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_spread);
    for (int threads = 1; threads <= 6; threads++) {
        int covered[6] = {0};
#pragma omp parallel num_threads(threads)
        {
            int count = omp_get_partition_num_places(), places[6];
            CHECK(count >= 6 / threads && count <= (6 + threads - 1) / threads, "%d places for one of %d", count, threads);
            omp_get_partition_place_nums(places);
            CHECK_EQ(places[0], omp_get_place_num());
            check_at(places[0]);
            for (int i = 0; i < count; i++) {
                CHECK_EQ(places[i], places[0] + i);
#pragma omp atomic
                covered[places[i]]++;
            }
        }
        for (int p = 0; p < 6; p++) CHECK_EQ(covered[p], 1);
        CHECK_EQ(omp_get_partition_num_places(), 6);
    }
    return verdict();
}
