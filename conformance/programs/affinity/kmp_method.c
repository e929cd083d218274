// KMP_TOPOLOGY_METHOD is accepted; flat takes each processor for a core.
//@ env: KMP_TOPOLOGY_METHOD=flat
//@ env: OMP_PLACES=cores
//@ threads: 1 2
//@ stock-fails: gcc because libgomp does not know the variable
#include "bound.h"

int main(void) {
    CHECK_EQ(omp_get_num_places(), omp_get_num_procs());
    for (int place = 0; place < omp_get_num_places(); place++) CHECK_EQ(omp_get_place_num_procs(place), 1);
#pragma omp parallel
    check_at(omp_get_place_num());
    return verdict();
}
