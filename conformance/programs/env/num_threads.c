// OMP_NUM_THREADS with one value sizes the teams.
// OpenMP 5.1, 6.2
//@ env: OMP_NUM_THREADS=6
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_max_threads(), 6);
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 6);
    return verdict();
}
