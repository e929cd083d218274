// cancel parallel: the thread that asks goes to the end at once, the others at their next cancellation point or at the barrier
// that they wait at; the region after it is whole again. OpenMP 5.1, 2.20.1, 2.20.2
//@ env: OMP_CANCELLATION=true
#include "check.h"

int main(void) {
    for (int round = 0; round < 100; round++) {
        int size = 0, after = 0, behind_barrier = 0, late = 0;
#pragma omp parallel num_threads(4) shared(size, after, behind_barrier, late)
        {
#pragma omp atomic
            size++;
            if (omp_get_thread_num() == round % omp_get_num_threads()) {
#pragma omp cancel parallel
#pragma omp atomic
                after++;
            }
            if (omp_get_thread_num() % 2) {
#pragma omp cancellation point parallel
                spin_work(50);
            }
#pragma omp barrier
#pragma omp atomic
            behind_barrier++;
#pragma omp barrier
#pragma omp atomic
            late++;
        }
        CHECK_EQ(after, 0);
        CHECK_EQ(behind_barrier, 0);
        CHECK_EQ(late, 0);
        int whole = 0;
#pragma omp parallel num_threads(4) reduction(+ : whole)
        {
            whole++;
#pragma omp barrier
            whole++;
        }
        CHECK_EQ(whole, 2 * size);
    }
    return verdict();
}
