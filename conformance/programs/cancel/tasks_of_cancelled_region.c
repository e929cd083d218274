// Tasks of a parallel region that is cancelled: each runs once or not at all, and the region's end finds all of them complete.
// OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
#include "check.h"

int main(void) {
    for (int round = 0; round < 60; round++) {
        int runs = 0, created = 0;
#pragma omp parallel num_threads(4) shared(runs, created)
        {
            for (int i = 0; i < 20; i++) {
                __atomic_fetch_add(&created, 1, __ATOMIC_RELAXED);
#pragma omp task
                {
#pragma omp task
                    spin_work(10);
                    __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
                }
            }
            if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
            }
#pragma omp barrier
            CHECK(0, "behind the barrier");
        }
        CHECK(runs <= created, "%d of %d", runs, created);
        int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
        for (int i = 0; i < 30; i++) {
#pragma omp task shared(sum)
            __atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);
        }
        CHECK_EQ(sum, 435);
    }
    return verdict();
}
