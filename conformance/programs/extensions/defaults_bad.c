// A bad value in kmp_set_defaults gives one line and changes nothing.
//@ compilers: clang
//@ threads: 3
//@ expect-stderr: OMP_NUM_THREADS='many' not
#include "check.h"

int main(void) {
    kmp_set_defaults("OMP_NUM_THREADS=many|KMP_BLOCKTIME=3");
    CHECK_EQ(kmp_get_blocktime(), 3);
    int size = 0;
#pragma omp parallel num_threads(2) reduction(+ : size)
    size++;
    CHECK_EQ(size, 2);
    return verdict();
}
