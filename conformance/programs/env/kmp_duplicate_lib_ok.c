// KMP_DUPLICATE_LIB_OK=true, which users of several runtimes set, is accepted in silence.
//@ env: KMP_DUPLICATE_LIB_OK=TRUE
//@ threads: 2
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
