// kmp_set_blocktime and kmp_get_blocktime: milliseconds, never below 0; regions work with any.
//@ compilers: clang
//@ stderr-may-hold-more:
#include "check.h"
#include <limits.h>

void kmpc_set_blocktime(int ms);
void kmp_set_blocktime_(const int *ms);

int main(void) {
    const int times[] = {0, 1, 200, INT_MAX, 5};
    for (unsigned i = 0; i < sizeof times / sizeof *times; i++) {
        kmp_set_blocktime(times[i]);
        // LLVM's counts microseconds in an int.
        CHECK(kmp_get_blocktime() == times[i] || (times[i] == INT_MAX && kmp_get_blocktime() == INT_MAX / 1000), "%d",
              kmp_get_blocktime());
        int size = 0;
#pragma omp parallel num_threads(3) reduction(+ : size)
        size++;
        CHECK_EQ(size, 3);
    }
    kmp_set_blocktime(-4);
    CHECK_EQ(kmp_get_blocktime(), 0);
    kmpc_set_blocktime(9);
    CHECK_EQ(kmp_get_blocktime(), 9);
    int seven = 7;
    kmp_set_blocktime_(&seven);
    CHECK_EQ(kmp_get_blocktime(), 7);
    return verdict();
}
