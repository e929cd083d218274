// OMP_STACKSIZE=`20M` gives each thread that much stack.
// OpenMP 5.1, 6.7
//@ env: OMP_STACKSIZE=20M
//@ threads: 1 2 8
#include "check.h"

int main(void) {
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        volatile char room[6 * 1024 * 1024];
        for (unsigned i = 0; i < sizeof room; i += 512) room[i] = (char)(i / 512 + 1);
        for (unsigned i = 0; i < sizeof room; i += 512) wrong += room[i] != (char)(i / 512 + 1);
    }
    CHECK_EQ(wrong, 0);
    return verdict();
}
