// A bad OMP_STACKSIZE gives one line that names it, and the default size.
// OpenMP 5.1, 6.7
//@ env: OMP_STACKSIZE=big
//@ threads: 1 2
//@ expect-stderr: OMP_STACKSIZE big
#include "check.h"

int main(void) {
    int wrong = 0;
#pragma omp parallel reduction(+ : wrong)
    {
        volatile char room[256 * 1024];
        for (unsigned i = 0; i < sizeof room; i += 512) room[i] = (char)(i / 512 + 1);
        for (unsigned i = 0; i < sizeof room; i += 512) wrong += room[i] != (char)(i / 512 + 1);
    }
    CHECK_EQ(wrong, 0);
    return verdict();
}
