// Loop reductions back to back on the same variable inside one region, each complete at its barrier before the next begins.
// OpenMP 5.1, 2.21.5
#include "check.h"

int main(void) {
    long sum = 0;
    double pi = 0;
    int threads = omp_get_max_threads();
#pragma omp parallel
    for (int round = 1; round <= 40; round++) {
#pragma omp for reduction(+ : sum) schedule(static, 1)
        for (int i = 0; i < 17; i++) sum += round;
        CHECK_EQ(sum, 17L * round * (round + 1) / 2);
#pragma omp barrier
    }
    CHECK_EQ(sum, 17 * 820);
#pragma omp parallel for reduction(+ : pi)
    for (int i = 0; i < 4096; i++) {
        double x = (i + 0.5) / 4096;
        pi += 4 / (1 + x * x) / 4096;
    }
    CHECK(pi > 3.14159 && pi < 3.1416, "%g with %d threads", pi, threads);
    return verdict();
}
