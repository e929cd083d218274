// KMP_LIBRARY=serial: every region has one thread.
//@ env: KMP_LIBRARY=serial
//@ stock-fails: gcc because it does not know the variable
//@ stderr-may-hold-more:
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel num_threads(4) reduction(+ : size)
    {
        size++;
        CHECK_EQ(omp_get_num_threads(), 1);
        CHECK_EQ(omp_in_parallel(), 0);
    }
    CHECK_EQ(size, 1);
    return verdict();
}
