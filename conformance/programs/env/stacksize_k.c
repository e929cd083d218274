// OMP_STACKSIZE=`2048` gives each thread that much stack.
// OpenMP 5.1, 6.7
//@ env: OMP_STACKSIZE=2048
//@ threads: 1 2 8
#include "check.h"

int main(void) {
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        volatile char room[1500 * 1024];
        for (unsigned i = 0; i < sizeof room; i += 512) room[i] = (char)(i / 512 + 1);
        for (unsigned i = 0; i < sizeof room; i += 512) wrong += room[i] != (char)(i / 512 + 1);
    }
    CHECK_EQ(wrong, 0);
    return verdict();
}
