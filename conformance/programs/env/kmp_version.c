// KMP_VERSION prints the version of the runtime and of OpenMP.
//@ env: KMP_VERSION=true
//@ threads: 1
//@ expect-stderr: ferromp release:
//@ expect-stderr: OpenMP version: 5.1
//@ stderr-may-hold-more:
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_level(), 0);
    return verdict();
}
