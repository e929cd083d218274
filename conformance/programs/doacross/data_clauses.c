// Reduction, firstprivate, lastprivate and linear-free privates on doacross loops; the loop variables after the construct.
// OpenMP 5.1, 2.19.9, 2.21
//@ stock-fails: gcc because its waits never give up the CPU, which takes minutes with more threads than CPUs
#include "check.h"

enum { N = 64 };

static int chain[N + 1];

int main(void) {
    for (int round = 0; round < 8; round++) {
        int sum = 0, last = -1, offset = 3, most = 0, i;
        chain[0] = 0;
#pragma omp parallel for ordered(1) schedule(dynamic, 2) reduction(+ : sum) reduction(max : most) firstprivate(offset) lastprivate(last, i)
        for (i = 1; i <= N; i++) {
#pragma omp ordered depend(sink : i - 1)
            chain[i] = chain[i - 1] + offset;
#pragma omp ordered depend(source)
            sum += chain[i];
            last = i * 10;
            if (chain[i] > most) most = chain[i];
        }
        CHECK_EQ(sum, 3 * N * (N + 1) / 2);
        CHECK_EQ(last, N * 10);
        CHECK_EQ(most, 3 * N);
        CHECK_EQ(i, N + 1);
        for (int k = 0; k <= N; k++) CHECK_EQ(chain[k], 3 * k);
    }
    return verdict();
}
