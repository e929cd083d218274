// A cancelled loop does not take iterations away from the one before it, in which threads still are because that has a nowait
// clause. OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
//@ env: OMP_SCHEDULE=static,1
#include "check.h"

enum { N = 240 };

int main(void) {
    for (int round = 0; round < 10; round++) {
        int hits[N] = {0}, asked = 0, past = 0;
#pragma omp parallel num_threads(3) shared(hits, asked, past)
        {
            int own = 0;
#pragma omp for schedule(runtime) nowait
            for (int i = 0; i < N; i++) {
                hits[i]++;
                own++;
                // The others are in their first iteration until the next loop is being cancelled.
                if (omp_get_thread_num() != 0 && own == 1) {
                    while (!__atomic_load_n(&asked, __ATOMIC_ACQUIRE)) spin_work(20);
                    spin_work(20000);
                }
            }
#pragma omp for schedule(runtime)
            for (int i = 0; i < N; i++) {
                if (omp_get_thread_num() == 0) {
                    __atomic_store_n(&asked, 1, __ATOMIC_RELEASE);
#pragma omp cancel for
                    __atomic_store_n(&past, 1, __ATOMIC_RELAXED);
                }
#pragma omp cancellation point for
            }
        }
        for (int i = 0; i < N; i++) CHECK(hits[i] == 1, "iteration %d: %d", i, hits[i]);
        CHECK_EQ(past, 0);
    }
    return verdict();
}
