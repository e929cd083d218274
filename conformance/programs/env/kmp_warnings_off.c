// KMP_WARNINGS=0 silences the lines on values that cannot be used.
//@ env: KMP_WARNINGS=0
//@ env: OMP_SCHEDULE=slow
//@ env: OMP_STACKSIZE=much
//@ env: KMP_LOCK_KIND=x
//@ threads: 2
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
