// Many doacross loops in a row without a barrier between them, alternating with ordinary nowait loops, so that threads are far apart:
// each loop keeps its own posts. OpenMP 5.1, 2.19.9
//@ stock-fails: gcc because its waits never give up the CPU, which takes minutes with more threads than CPUs
#include "check.h"

enum { LOOPS = 40, N = 20 };

static int value[LOOPS][N + 1], plain[LOOPS];

int main(void) {
#pragma omp parallel
    for (int k = 0; k < LOOPS; k++) {
        switch (k % 3) {
        case 0:
#pragma omp for ordered(1) schedule(static, 1) nowait
            for (int i = 1; i <= N; i++) {
#pragma omp ordered depend(sink : i - 1)
                value[k][i] = value[k][i - 1] + i;
#pragma omp ordered depend(source)
            }
            break;
        case 1:
#pragma omp for ordered(1) schedule(dynamic) nowait
            for (int i = 1; i <= N; i++) {
#pragma omp ordered depend(sink : i - 1)
                value[k][i] = value[k][i - 1] + i;
#pragma omp ordered depend(source)
            }
            break;
        default:
#pragma omp for ordered(2) schedule(guided) nowait
            for (int i = 1; i <= N; i++)
                for (int j = 0; j < 2; j++) {
#pragma omp ordered depend(sink : i - 1, j)
                    if (j == 1) value[k][i] = value[k][i - 1] + i;
#pragma omp ordered depend(source)
                }
        }
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < N; i++) {
#pragma omp atomic
            plain[k] += i;
        }
    }
    for (int k = 0; k < LOOPS; k++) {
        for (int i = 0; i <= N; i++) CHECK(value[k][i] == i * (i + 1) / 2, "loop %d: %d is %d", k, i, value[k][i]);
        CHECK_EQ(plain[k], N * (N - 1) / 2);
    }
    return verdict();
}
