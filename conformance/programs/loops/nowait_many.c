// Hundreds of nowait loops of mixed schedules in one region, so that fast threads run far ahead of slow ones.
// OpenMP 5.1, 2.11.4 (nowait clause)
#include "check.h"

enum { LOOPS = 120, N = 23 };

static int hits[4][LOOPS][N];

int main(void) {
#pragma omp parallel
    {
        for (int k = 0; k < LOOPS; k++) {
            if (omp_get_thread_num() == 0 && k % 40 == 0) spin_work(20000);
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < N; i++) hits[0][k][i]++;
#pragma omp for schedule(static) nowait
            for (int i = 0; i < N; i++) hits[1][k][i]++;
#pragma omp for schedule(guided) nowait
            for (int i = 0; i < N; i++) hits[2][k][i]++;
#pragma omp for schedule(dynamic, 5) nowait
            for (long i = N; i > 0; i--) hits[3][k][i - 1]++;
        }
    }
    for (int s = 0; s < 4; s++)
        for (int k = 0; k < LOOPS; k++)
            for (int i = 0; i < N; i++) CHECK(hits[s][k][i] == 1, "kind %d loop %d iteration %d: %d", s, k, i, hits[s][k][i]);
    return verdict();
}
