// A bad OMP_TARGET_OFFLOAD gives one line that names it, and the default.
//@ env: OMP_TARGET_OFFLOAD=perhaps
//@ threads: 2
//@ expect-stderr: OMP_TARGET_OFFLOAD perhaps using
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
