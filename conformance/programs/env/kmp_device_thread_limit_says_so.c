// Where KMP_DEVICE_THREAD_LIMIT makes a team smaller, one line says so.
//@ env: KMP_DEVICE_THREAD_LIMIT=2
//@ env: OMP_NUM_THREADS=2
//@ stock-fails: gcc because it does not know the variable
//@ expect-stderr: KMP_DEVICE_THREAD_LIMIT fewer
#include "check.h"

int main(void) {
    for (int round = 0; round < 3; round++) {
        int size = 0;
#pragma omp parallel num_threads(6) reduction(+ : size)
        size++;
        CHECK_EQ(size, 2);
    }
    return verdict();
}
