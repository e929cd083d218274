// Cancellation inside of target regions. OpenMP 5.1, 2.20
//@ devices: 1 3
//@ env: OMP_CANCELLATION=true
#include "device.h"

int main(void) {
    int enabled = 0, after = 0, iterations = 0, regions = 0;
#pragma omp target map(from : enabled) map(tofrom : after, iterations, regions)
    {
        enabled = omp_get_cancellation();
#pragma omp parallel num_threads(3)
        {
#pragma omp for schedule(dynamic, 1)
            for (int i = 0; i < 100000; i++) {
#pragma omp atomic
                iterations++;
                // Each thread comes to such an iteration soon, in whatever order they are handed out.
                if (i % 100 == 10) {
#pragma omp cancel for
                }
#pragma omp cancellation point for
            }
#pragma omp single
            after++;
        }
#pragma omp parallel num_threads(3)
        {
#pragma omp atomic
            regions++;
#pragma omp cancel parallel
#pragma omp barrier
        }
    }
    CHECK_EQ(enabled, 1);
    CHECK_EQ(after, 1);
    CHECK(iterations >= 1 && iterations < 100000, "%d iterations", iterations);
    CHECK(regions >= 1 && regions <= 3, "%d threads", regions);
    return verdict();
}
