// Threads that wait for their turn in an ordered region go on when the region is cancelled by the thread whose turn it would have been,
// also when they have waited for so long that they sleep. OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
//@ threads: 2 3 8 33
//@ stock-fails: clang because libomp's canceller waits for the others at a barrier
//@ stock-fails: gcc because libgomp's threads wait for their turn for ever
#include <unistd.h>

#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_cancellation(), 1);
    for (int round = 0; round < 12; round++) {
        int behind = 0;
#pragma omp parallel
        {
            if (omp_get_thread_num() == 0) {
                // Longer than threads spin, now and then.
                usleep(round % 4 == 0 ? 15000 : round * 20);
#pragma omp cancel parallel
            }
#pragma omp for ordered schedule(static, 1)
            for (int i = 0; i < 300; i++) {
#pragma omp ordered
                spin_work(1);
            }
#pragma omp atomic
            behind++;
        }
        CHECK_EQ(behind, 0);
    }
    return verdict();
}
