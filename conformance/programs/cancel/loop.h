// A loop with the schedule SCHEDULE that is cancelled, and the loop after it, which is whole.
#include "check.h"

enum { N = 400 };

int main(void) {
    for (int round = 0; round < 20; round++) {
        int hits[N] = {0}, next[N] = {0}, seen = 0, past = 0, size = 0;
#pragma omp parallel shared(hits, next, seen, past, size)
        {
#pragma omp single
            size = omp_get_num_threads();
            OMP(for schedule(SCHEDULE))
            for (int i = 0; i < N; i++) {
                __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
                if (i == 30 + round) {
                    __atomic_store_n(&seen, 1, __ATOMIC_RELEASE);
#pragma omp cancel for
                    __atomic_store_n(&past, 1, __ATOMIC_RELAXED);
                }
#pragma omp cancellation point for
            }
            OMP(for schedule(SCHEDULE))
            for (int i = 0; i < N; i++) __atomic_fetch_add(&next[i], 1, __ATOMIC_RELAXED);
        }
        int total = 0;
        for (int i = 0; i < N; i++) {
            total += hits[i];
            CHECK(hits[i] <= 1, "%d: %d", i, hits[i]);
            CHECK(next[i] == 1, "next loop, %d: %d", i, next[i]);
        }
        CHECK(seen, "the iteration that cancels did not come");
        CHECK_EQ(past, 0);
        if (size == 1) CHECK_EQ(total, 31 + round);
    }
    return verdict();
}
