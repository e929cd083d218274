// Intervals of places with strides in both directions.
// OpenMP 5.1, 6.5
//@ env: OMP_PLACES= { 1 } : 2 : -1 , {0:2:1}, {0}:2
//@ env: OMP_PROC_BIND=true
//@ threads: 1 3
#include "bound.h"

int main(void) {
    static const int masks[] = {2, 1, 3, 1, 2};
    CHECK_EQ(omp_get_num_places(), 5);
    for (int place = 0; place < 5; place++) {
        cpu_set_t mask = place_mask(place);
        CHECK_EQ((CPU_ISSET(0, &mask) ? 1 : 0) + (CPU_ISSET(1, &mask) ? 2 : 0), masks[place]);
    }
#pragma omp parallel
    check_at(omp_get_place_num());
    return verdict();
}
