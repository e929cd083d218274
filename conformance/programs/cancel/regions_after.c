// After a cancelled region, in which some threads met constructs that others did not, every construct works: loops with and
// without nowait, single with copyprivate, sections, ordered, reductions, tasks, barriers. OpenMP 5.1, 2.20.1
//@ stock-fails: gcc because libgomp waits for the turns of a thread that has gone to the end
//@ env: OMP_CANCELLATION=true
//@ stock-fails: clang because libomp's canceller waits for the others at a barrier
#include "check.h"

static void everything(int round) {
    int loops = 0, singles = 0, sections = 0, order = 0, sum = 0, tasks = 0, size = 0, copies = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
        int value = 0;
#pragma omp single copyprivate(value)
        {
            value = 40 + round;
            size = omp_get_num_threads();
        }
#pragma omp atomic
        copies += value == 40 + round;
        for (int i = 0; i < 12; i++) {
#pragma omp for schedule(dynamic, 2) nowait
            for (int j = 0; j < 9; j++) {
#pragma omp atomic
                loops++;
            }
        }
#pragma omp single nowait
        {
#pragma omp atomic
            singles++;
        }
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 10; i++) {
#pragma omp ordered
            {
                CHECK_EQ(order, i);
                order++;
            }
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp atomic
                sections++;
            }
#pragma omp section
            {
#pragma omp atomic
                sections++;
            }
        }
#pragma omp single
        for (int i = 0; i < 8; i++) {
#pragma omp task
            {
#pragma omp atomic
                tasks++;
            }
        }
        sum += 1;
    }
    CHECK_EQ(copies, size);
    CHECK_EQ(loops, 108);
    CHECK_EQ(singles, 1);
    CHECK_EQ(order, 10);
    CHECK_EQ(sections, 2);
    CHECK_EQ(tasks, 8);
    CHECK_EQ(sum, size);
}

int main(void) {
    for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(4)
        {
            if (omp_get_thread_num() == round % omp_get_num_threads()) {
#pragma omp cancel parallel
            }
            for (int i = 0; i < 10; i++) {
#pragma omp for schedule(dynamic) nowait
                for (int j = 0; j < 7; j++) spin_work(5);
            }
#pragma omp single nowait
            spin_work(3);
#pragma omp for ordered schedule(static, 1)
            for (int j = 0; j < 9; j++) {
#pragma omp ordered
                spin_work(2);
            }
#pragma omp single nowait
            spin_work(3);
        }
        everything(round);
    }
    return verdict();
}
