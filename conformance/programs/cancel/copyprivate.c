// single with copyprivate in a region that one thread cancels before it comes there. OpenMP 5.1, 2.20.1, 2.21.6.2
//@ env: OMP_CANCELLATION=true
//@ stock-fails: clang because libomp's canceller waits for the others at a barrier
//@ stock-fails: gcc because libgomp waits for a thread that has gone to the end
#include "check.h"

int main(void) {
    for (int round = 0; round < 60; round++) {
        int copies = 0, size = 0;
#pragma omp parallel num_threads(4) shared(copies, size)
        {
            int value = -1;
            if (omp_get_thread_num() == round % omp_get_num_threads()) {
#pragma omp cancel parallel
            }
#pragma omp single copyprivate(value)
            value = round;
            CHECK(value == round || value == -1, "%d in round %d", value, round);
#pragma omp barrier
            CHECK(0, "behind a barrier");
        }
#pragma omp parallel num_threads(4) shared(copies, size)
        {
            int value = -1;
#pragma omp single copyprivate(value)
            {
                value = round;
                size = omp_get_num_threads();
            }
#pragma omp atomic
            copies += value == round;
        }
        CHECK_EQ(copies, size);
    }
    return verdict();
}
