// reduction with the task modifier on a parallel construct: the implicit tasks and the explicit tasks of the region contribute.
// OpenMP 5.1, 2.21.5.4 (reduction clause)
#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int sum = 1000, threads = 0;
        double real = 1;
#pragma omp parallel reduction(task, + : sum, real) reduction(+ : threads)
        {
            threads++;
            sum += 1;
            for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum, real)
                {
                    sum += 10;
                    real += 0.5;
                }
            }
        }
        CHECK_EQ(sum, 1000 + threads * 101);
        CHECK(real == 1 + threads * 5, "real is %f with %d threads", real, threads);
    }
    return verdict();
}
