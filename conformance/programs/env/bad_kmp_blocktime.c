// A bad KMP_BLOCKTIME gives one line that names it, and the default.
//@ env: KMP_BLOCKTIME=soon
//@ threads: 2
//@ expect-stderr: KMP_BLOCKTIME soon using
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
