// A KMP_ variable that means nothing here is named in one line.
//@ env: KMP_LOCK_KIND=tas
//@ threads: 2
//@ expect-stderr: KMP_LOCK_KIND='tas' no effect
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
