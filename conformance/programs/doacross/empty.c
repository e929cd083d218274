// Doacross loops without iterations, in the outer or in an inner loop, and with a single one, between loops that have some.
// OpenMP 5.1, 2.19.9
#include "check.h"

static int runs, chain[20];

static void sweep(int n, int m) {
#pragma omp for ordered(2) schedule(static, 1)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
#pragma omp atomic
            runs++;
#pragma omp ordered depend(source)
        }
}

int main(void) {
    for (int round = 0; round < 10; round++) {
        runs = 0;
#pragma omp parallel
        {
            sweep(0, 5);
            sweep(5, 0);
            sweep(1, 1);
            sweep(0, 0);
            sweep(-3, 4);
            sweep(4, 3);
#pragma omp for ordered(1) schedule(dynamic) nowait
            for (int i = 10; i < 10; i++) {
#pragma omp ordered depend(sink : i - 1)
                chain[i]++;
#pragma omp ordered depend(source)
            }
            sweep(1, 7);
        }
        CHECK_EQ(runs, 1 + 12 + 7);
    }
    return verdict();
}
