// What cannot be changed any more is named.
//@ compilers: clang
//@ threads: 2
//@ stock-fails: clang because it says nothing
//@ expect-stderr: OMP_CANCELLATION='true' cannot be changed any more
#include "check.h"

int main(void) {
    int before = omp_get_cancellation();
    kmp_set_defaults("OMP_CANCELLATION=true");
    CHECK_EQ(omp_get_cancellation(), before);
    return verdict();
}
