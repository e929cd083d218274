// Without OMP_CANCELLATION nothing is ever cancelled.
//@ compilers: clang
#include "check.h"

enum { kmp_cancel_parallel = 1, kmp_cancel_loop = 2, kmp_cancel_sections = 3, kmp_cancel_taskgroup = 4 };
int kmp_get_cancellation_status(int kind);

int main(void) {
#pragma omp parallel
    {
#pragma omp cancel parallel
        for (int kind = 0; kind < 6; kind++) CHECK_EQ(kmp_get_cancellation_status(kind), 0);
    }
    return verdict();
}
