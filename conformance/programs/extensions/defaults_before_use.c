// kmp_set_defaults as the first call: the size of stacks and the nesting follow too.
//@ compilers: clang
//@ threads: 2
//@ stderr-may-hold-more:
#include "check.h"

int main(void) {
    kmp_set_defaults("KMP_STACKSIZE=48M|OMP_MAX_ACTIVE_LEVELS=2");
    CHECK_EQ(kmp_get_stacksize(), 48 << 20);
    int inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
    {
        char room[omp_get_thread_num() == 0 ? 64 : 30 << 20];
        room[0] = 1;
        room[sizeof room - 1] = 1;
        inner += room[0];
    }
    CHECK_EQ(inner, 2);
    return verdict();
}
