// On one thread, tasks that wait with different priorities run in the order of their priorities. OpenMP 5.1, 2.12.1 (priority clause);
// the order is a recommendation that this runtime follows
//@ threads: 1
//@ env: OMP_MAX_TASK_PRIORITY=50
//@ env: OMP_NUM_THREADS=1
//@ stock-fails: clang because with one thread it runs tasks where they are generated
#include "check.h"

int main(void) {
    int ran[60], count = 0;
#pragma omp parallel num_threads(1)
#pragma omp single
    {
        for (int i = 0; i < 60; i++) {
#pragma omp task priority(1 + i * 7 % 60) shared(ran, count) firstprivate(i)
            ran[count++] = 1 + i * 7 % 60;
        }
#pragma omp taskwait
        CHECK_EQ(count, 60);
        for (int i = 1; i < 60; i++) {
            // Those above the maximum are equal.
            int a = ran[i - 1] > 50 ? 50 : ran[i - 1], b = ran[i] > 50 ? 50 : ran[i];
            CHECK(a >= b, "%d before %d", a, b);
        }
    }
    return verdict();
}
