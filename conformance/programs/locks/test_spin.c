// Threads that only ever try a lock make progress: each gets it the wanted number of times, never two at once.
// OpenMP 5.1, 3.9.6 (omp_test_lock)
#include <sched.h>

#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), inside = 0, total = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    for (int got = 0; got < 20;) {
        if (!omp_test_lock(&lock)) {
            sched_yield();
            continue;
        }
        CHECK_EQ(inside, 0);
        inside = 1;
        total++;
        got++;
        inside = 0;
        omp_unset_lock(&lock);
    }
    CHECK_EQ(total, 20 * threads);
    omp_destroy_lock(&lock);
    return verdict();
}
