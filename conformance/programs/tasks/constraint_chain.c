// Threads that wait inside tied tasks while all other tasks are blocked by ones that they may not start: nobody waits for ever.
// OpenMP 5.1, 2.12.6 (task scheduling constraints)
#include "check.h"

static int leaf, outer;

static void wait_in(int depth, int *cell) {
#pragma omp task shared(leaf) depend(mutexinoutset : cell[0])
    {
#pragma omp atomic
        leaf++;
    }
#pragma omp task shared(leaf) depend(mutexinoutset : cell[0])
    {
        if (depth > 0) {
            int inner = 0;
            wait_in(depth - 1, &inner);
        }
#pragma omp atomic
        leaf++;
    }
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
    {
        for (int i = 0; i < 6; i++) {
#pragma omp task
            {
                int cell = 0;
                wait_in(4, &cell);
#pragma omp taskgroup
                for (int j = 0; j < 4; j++) {
#pragma omp task
                    {
                        int other = 0;
                        wait_in(1, &other);
                    }
                }
#pragma omp atomic
                outer++;
            }
        }
    }
    int threads = 0;
#pragma omp parallel reduction(+ : threads)
    threads++;
    CHECK_EQ(outer, 6 * threads);
    CHECK_EQ(leaf, outer * (10 + 4 * 4));
    return verdict();
}
