// A parallel region that is cancelled while others wait in a doacross loop for iterations that will not come. OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
//@ stock-fails: clang because libomp's canceller waits for the others at a barrier
//@ stock-fails: gcc because libgomp waits for the iterations of a thread that has gone to the end
#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int size = 0;
#pragma omp parallel num_threads(3) shared(size)
        {
#pragma omp single
            size = omp_get_num_threads();
            if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
            }
#pragma omp for ordered(1) schedule(static, 1)
            for (int i = 0; i < 12; i++) {
#pragma omp ordered depend(sink : i - 1)
                spin_work(2);
#pragma omp ordered depend(source)
            }
            CHECK(0, "behind the loop of the cancelled region");
        }
        int order = 0;
#pragma omp parallel num_threads(3) shared(order)
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < 12; i++) {
#pragma omp ordered depend(sink : i - 1)
            CHECK_EQ(order, i);
            order++;
#pragma omp ordered depend(source)
        }
        CHECK_EQ(order, 12);
        CHECK(size >= 1, "%d", size);
    }
    return verdict();
}
