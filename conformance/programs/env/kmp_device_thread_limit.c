// KMP_DEVICE_THREAD_LIMIT bounds the threads of the process: teams get no more, however many are asked for.
//@ env: KMP_DEVICE_THREAD_LIMIT=3
//@ env: OMP_NUM_THREADS=2
//@ env: KMP_WARNINGS=0
//@ stock-fails: gcc because it does not know the variable
#include "check.h"

int main(void) {
    for (int round = 0; round < 5; round++) {
        int size = 0;
#pragma omp parallel num_threads(8) reduction(+ : size)
        size++;
        CHECK_EQ(size, 3);
    }
    CHECK_EQ(omp_get_max_threads(), 2);
    return verdict();
}
