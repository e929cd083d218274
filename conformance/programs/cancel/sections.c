// cancel sections: sections that have not begun may be left out, none runs twice, and the construct after it is whole.
// OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
#include "check.h"

int main(void) {
    for (int round = 0; round < 50; round++) {
        int runs[4] = {0}, past = 0, next[2] = {0}, size = 0;
#pragma omp parallel shared(runs, past, next, size)
        {
#pragma omp single
            size = omp_get_num_threads();
#pragma omp sections
            {
#pragma omp section
                {
                    __atomic_fetch_add(&runs[0], 1, __ATOMIC_RELAXED);
#pragma omp cancel sections
                    __atomic_store_n(&past, 1, __ATOMIC_RELAXED);
                }
#pragma omp section
                {
#pragma omp cancellation point sections
                    __atomic_fetch_add(&runs[1], 1, __ATOMIC_RELAXED);
                }
#pragma omp section
                {
#pragma omp cancellation point sections
                    __atomic_fetch_add(&runs[2], 1, __ATOMIC_RELAXED);
                }
#pragma omp section
                {
#pragma omp cancellation point sections
                    __atomic_fetch_add(&runs[3], 1, __ATOMIC_RELAXED);
                }
            }
#pragma omp sections
            {
#pragma omp section
                __atomic_fetch_add(&next[0], 1, __ATOMIC_RELAXED);
#pragma omp section
                __atomic_fetch_add(&next[1], 1, __ATOMIC_RELAXED);
            }
        }
        CHECK_EQ(runs[0], 1);
        CHECK_EQ(past, 0);
        for (int i = 1; i < 4; i++) CHECK(runs[i] <= (size > 1), "section %d: %d", i, runs[i]);
        CHECK_EQ(next[0] + next[1], 2);
    }
    return verdict();
}
