// A bound region that repeats itself many times: each thread stays at its place.
// OpenMP 5.1, 2.6.2
//@ env: OMP_PLACES={0},{1}
//@ env: OMP_PROC_BIND=spread
//@ threads: 2 3
#include "bound.h"

int main(void) {
    for (int round = 0; round < 200; round++) {
#pragma omp parallel
        if (round % 50 == 49) check_at(omp_get_place_num());
    }
    return verdict();
}
