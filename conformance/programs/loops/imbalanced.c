// Loops whose work lies at one end, under the schedules that balance: each iteration once, whoever is slow, several loops in a row without a
// barrier, threads that arrive late. OpenMP 5.1, 2.11.4
#include "check.h"

enum { N = 3000, LOOPS = 6 };

static unsigned char hits[LOOPS][N];

#define SWEEP(k, clause, heavy)                                                          \
    OMP(for clause nowait)                                                               \
    for (int i = 0; i < N; i++) {                                                        \
        if (heavy) spin_work(300);                                                       \
        hits[k][i]++;                                                                    \
    }

int main(void) {
    for (int round = 1; round <= 5; round++) {
#pragma omp parallel
        {
            if (omp_get_thread_num() == round % omp_get_num_threads()) spin_work(5000);
            SWEEP(0, schedule(nonmonotonic : dynamic), i < N / 20)
            SWEEP(1, schedule(nonmonotonic : dynamic, 3), i > N - N / 20)
            SWEEP(2, schedule(guided), i % 100 == 0)
            SWEEP(3, schedule(monotonic : dynamic, 16), i < N / 30)
            SWEEP(4, schedule(nonmonotonic : dynamic, 1), omp_get_thread_num() == 0 && i % 10 == 0)
            SWEEP(5, schedule(guided, 50), i > N - N / 30)
        }
        for (int k = 0; k < LOOPS; k++)
            for (int i = 0; i < N; i++) CHECK(hits[k][i] == round, "loop %d: %d ran %d times of %d", k, i, hits[k][i], round);
    }
    return verdict();
}
