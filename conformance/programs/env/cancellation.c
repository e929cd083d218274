// OMP_CANCELLATION is read: omp_get_cancellation tells it.
// OpenMP 5.1, 6.11
//@ env: OMP_CANCELLATION=true
//@ threads: 1 2
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_cancellation(), 1);
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
