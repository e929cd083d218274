// Processors and places taken out again with `!`.
// OpenMP 5.1, 6.5
//@ env: OMP_PLACES={0:2,!1},{1},{0,1},!{1}
//@ env: OMP_PROC_BIND=true
//@ threads: 1 3
//@ stock-fails: clang because libomp knows no exclusion of processors within a place
#include "bound.h"

int main(void) {
    CHECK_EQ(omp_get_num_places(), 2);
    cpu_set_t first = place_mask(0), second = place_mask(1);
    CHECK(CPU_COUNT(&first) == 1 && CPU_ISSET(0, &first), "the first place is processor 0");
    CHECK_EQ(CPU_COUNT(&second), 2);
    return verdict();
}
