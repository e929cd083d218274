// Blanks around the values of OMP_NUM_THREADS are allowed.
// OpenMP 5.1, 6.2 and 6 (white space)
//@ env: OMP_NUM_THREADS=  5 , 2 
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_max_threads(), 5);
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 5);
    return verdict();
}
