// A bad OMP_SCHEDULE (`dynamic,x`) gives one line that names it; loops run all the same.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=dynamic,x
//@ threads: 1 3
//@ expect-stderr: OMP_SCHEDULE dynamic,x
#include "check.h"

int main(void) {
    int sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < 101; i++) sum += i;
    CHECK_EQ(sum, 5050);
    return verdict();
}
