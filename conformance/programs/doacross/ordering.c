// What was written before a source is seen after the sink that waits for it, without atomics: a block of data a step.
// OpenMP 5.1, 2.19.8 (implicit flushes of ordered), 2.19.9
//@ stock-fails: gcc because its waits never give up the CPU, which takes minutes with more threads than CPUs
#include "check.h"

enum { N = 120, WIDTH = 40 };

static int block[N][WIDTH];

int main(void) {
    for (int round = 1; round <= 5; round++) {
#pragma omp parallel for ordered(1) schedule(static, 1)
        for (int i = 0; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
            for (int k = 0; k < WIDTH; k++) {
                int before = i ? block[i - 1][k] : round * 1000;
                CHECK(!i || before == round * 1000 + i, "round %d, block %d, %d: %d", round, i, k, before);
                block[i][k] = before + 1;
            }
#pragma omp ordered depend(source)
        }
    }
    return verdict();
}
