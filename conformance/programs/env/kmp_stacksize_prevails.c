// KMP_STACKSIZE prevails over OMP_STACKSIZE, and counts bytes where no unit stands.
//@ env: KMP_STACKSIZE=67108864
//@ env: OMP_STACKSIZE=256k
//@ env: GOMP_STACKSIZE=128
//@ threads: 2
//@ stderr-may-hold-more:
//@ stock-fails: gcc because it does not know the variable
#include "check.h"

int main(void) {
    long sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        char room[omp_get_thread_num() == 0 ? 64 : 40 << 20];
        for (size_t i = 0; i < sizeof room; i += 2048) room[i] = 1;
        sum += room[0];
    }
    CHECK_EQ(sum, omp_get_max_threads());
    return verdict();
}
