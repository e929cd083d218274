// A bad OMP_WAIT_POLICY gives one line that names it, and the default.
// OpenMP 5.1, 6.6
//@ env: OMP_WAIT_POLICY=lazy
//@ threads: 1 2
//@ expect-stderr: OMP_WAIT_POLICY lazy
#include "check.h"

int main(void) {
    long sum = 0;
    for (int round = 0; round < 30; round++) {
#pragma omp parallel for reduction(+ : sum) schedule(dynamic)
        for (int i = 0; i < 20; i++) sum += i;
#pragma omp parallel
        {
#pragma omp barrier
#pragma omp single
            sum++;
        }
    }
    CHECK_EQ(sum, 30 * 191);
    return verdict();
}
