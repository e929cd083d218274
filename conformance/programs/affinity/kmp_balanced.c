// KMP_AFFINITY=balanced: threads are spread over the cores anew for each size of the team.
//@ env: KMP_AFFINITY=balanced,granularity=fine
//@ env: OMP_NUM_THREADS=2
//@ stock-fails: gcc because libgomp does not know the variable
//@ stock-fails: clang because libomp gives every thread place number 0 there
#include "bound.h"

int main(void) {
    for (int threads = 2; threads <= 8; threads += 2) {
        int load[64] = {0};
        int places = omp_get_num_places();
#pragma omp parallel num_threads(threads)
        {
            check_at(omp_get_place_num());
#pragma omp atomic
            load[omp_get_place_num() % 64]++;
        }
        for (int p = 0; p < places && places <= 2; p++) CHECK_EQ(load[p], threads / places);
    }
    return verdict();
}
