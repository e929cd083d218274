// KMP_LIBRARY=turnaround: threads wait as it says, and regions work.
//@ env: KMP_LIBRARY=turnaround
//@ threads: 1 2 3
#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int size = 0;
#pragma omp parallel reduction(+ : size)
        size++;
        CHECK_EQ(size, omp_get_max_threads());
    }
    return verdict();
}
