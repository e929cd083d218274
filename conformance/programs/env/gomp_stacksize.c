// GOMP_STACKSIZE counts KiB, and gives way to OMP_STACKSIZE.
//@ env: GOMP_STACKSIZE=65536
//@ threads: 2
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
