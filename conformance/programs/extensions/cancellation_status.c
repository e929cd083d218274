// kmp_get_cancellation_status: whether a region of a kind has been cancelled, before any cancellation point says so.
//@ compilers: clang
//@ env: OMP_CANCELLATION=true
#include "check.h"

enum { kmp_cancel_parallel = 1, kmp_cancel_loop = 2, kmp_cancel_sections = 3, kmp_cancel_taskgroup = 4 };
int kmp_get_cancellation_status(int kind);

int main(void) {
    CHECK_EQ(kmp_get_cancellation_status(kmp_cancel_parallel), 0);
    int cleaned = 0, cancelled = 0;
#pragma omp parallel reduction(+ : cleaned)
    {
        CHECK_EQ(kmp_get_cancellation_status(kmp_cancel_taskgroup), 0);
        if (omp_get_thread_num() == 0) {
            __atomic_store_n(&cancelled, 1, __ATOMIC_SEQ_CST);
#pragma omp cancel parallel
        }
        while (!kmp_get_cancellation_status(kmp_cancel_parallel)) spin_work(20);
        CHECK_EQ(cancelled, 1);
        cleaned++;
#pragma omp cancellation point parallel
        CHECK(0, "behind a cancellation point");
    }
    // The initial thread has gone to the end at once.
    CHECK(cancelled, "not cancelled");
    CHECK_EQ(kmp_get_cancellation_status(kmp_cancel_parallel), 0);
#pragma omp parallel
    CHECK_EQ(kmp_get_cancellation_status(kmp_cancel_parallel), 0);
    return verdict();
}
