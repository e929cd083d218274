// One thread cancels the parallel region, the others never come to a cancellation point: they run to the end.
// OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
//@ stock-fails: clang because libomp's canceller waits for them at a barrier
#include "check.h"

int main(void) {
    for (int round = 0; round < 100; round++) {
        int size = 0, done = 0;
#pragma omp parallel shared(size, done)
        {
#pragma omp atomic
            size++;
            if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
            }
#pragma omp atomic
            done++;
        }
        CHECK_EQ(done, size - 1);
    }
    return verdict();
}
