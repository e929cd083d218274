// Regions and loops with reductions that are cancelled end, and those after them add up. OpenMP 5.1, 2.20.1, 2.21.5
//@ stock-fails: clang because libomp's canceller waits for the others at a barrier
//@ env: OMP_CANCELLATION=true
#include "check.h"

int main(void) {
    for (int round = 0; round < 30; round++) {
        int some = 0, all = 0, loop = 0;
        double real = 0;
#pragma omp parallel reduction(+ : some, real)
        {
            some++, real++;
            if (omp_get_thread_num() == round % omp_get_num_threads()) {
#pragma omp cancel parallel
            }
#pragma omp cancellation point parallel
        }
        CHECK(some >= 0 && some <= omp_get_max_threads(), "%d", some);
#pragma omp parallel for reduction(+ : loop)
        for (int i = 0; i < 200; i++) {
            loop++;
            if (i == 50) {
#pragma omp cancel for
            }
#pragma omp cancellation point for
        }
        CHECK(loop >= 0 && loop <= 200, "%d", loop);
#pragma omp parallel for reduction(+ : all)
        for (int i = 0; i < 200; i++) all++;
        CHECK_EQ(all, 200);
    }
    return verdict();
}
