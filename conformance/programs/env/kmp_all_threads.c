// KMP_ALL_THREADS is the older name of KMP_DEVICE_THREAD_LIMIT, which prevails.
//@ env: KMP_ALL_THREADS=2
//@ env: KMP_DEVICE_THREAD_LIMIT=4
//@ env: OMP_NUM_THREADS=3
//@ env: KMP_WARNINGS=0
//@ stock-fails: gcc because it does not know the variables
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel num_threads(9) reduction(+ : size)
    size++;
    CHECK_EQ(size, 4);
    return verdict();
}
