// OMP_MAX_TASK_PRIORITY sets max-task-priority-var, for the whole program.
// OpenMP 5.1, 6.16
//@ env: OMP_MAX_TASK_PRIORITY=20
//@ threads: 1 2
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_max_task_priority(), 20);
    int done = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 30; i++) {
#pragma omp task priority(i)
        {
            CHECK_EQ(omp_get_max_task_priority(), 20);
#pragma omp atomic
            done++;
        }
    }
    CHECK_EQ(done, 30);
    return verdict();
}
