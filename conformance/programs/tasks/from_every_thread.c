// Every thread generates tasks at once, waits for its own with taskwait, and leaves others to the barrier.
// OpenMP 5.1, 2.12.1, 2.19.5
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), total = 0;
#pragma omp parallel
    {
        for (int round = 0; round < 6; round++) {
            int mine = 0;
            for (int i = 0; i < 30; i++) {
#pragma omp task shared(mine, total)
                {
#pragma omp atomic
                    mine++;
#pragma omp atomic
                    total++;
                }
            }
#pragma omp taskwait
            CHECK_EQ(mine, 30);
            for (int i = 0; i < 5; i++) {
#pragma omp task shared(total)
                {
#pragma omp atomic
                    total++;
                }
            }
#pragma omp barrier
            CHECK_EQ(total, threads * 35 * (round + 1));
#pragma omp barrier
        }
    }
    return verdict();
}
