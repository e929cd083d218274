// Threads that wait at the implicit barriers of loops, sections and single regions leave them when the parallel region is
// cancelled. OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
//@ stock-fails: clang because libomp's canceller waits for the others at a barrier
#include "check.h"

int main(void) {
    for (int round = 0; round < 60; round++) {
        int past = 0, size = 0;
#pragma omp parallel num_threads(3) shared(past, size)
        {
#pragma omp single
            size = omp_get_num_threads();
            if (omp_get_thread_num() == 0) {
                spin_work(round * 20);
#pragma omp cancel parallel
            }
            switch (round % 3) {
            case 0: {
#pragma omp for
                for (int i = 0; i < 9; i++) spin_work(3);
                break;
            }
            case 1: {
#pragma omp single
                spin_work(3);
                break;
            }
            default: {
#pragma omp sections
                {
#pragma omp section
                    spin_work(3);
#pragma omp section
                    spin_work(3);
                }
            }
            }
#pragma omp atomic
            past++;
#pragma omp barrier
            CHECK(0, "behind a barrier of the cancelled region");
        }
        CHECK(past < size, "%d of %d", past, size);
    }
    return verdict();
}
