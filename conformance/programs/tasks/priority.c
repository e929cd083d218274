// The priority clause takes any value within and beyond OMP_MAX_TASK_PRIORITY; all tasks run, dependences still hold.
// OpenMP 5.1, 2.12.1 (priority clause), 6.16
//@ env: OMP_MAX_TASK_PRIORITY=10
#include "check.h"

int main(void) {
    int ran = 0, chain = 0;
    CHECK_EQ(omp_get_max_task_priority(), 10);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 120; i++) {
#pragma omp task priority(i % 12) shared(ran)
        {
#pragma omp atomic
            ran++;
        }
#pragma omp task priority((120 - i) % 11) depend(inout : chain) firstprivate(i)
        {
            CHECK_EQ(chain, i);
            chain++;
        }
    }
    CHECK_EQ(ran, 120);
    CHECK_EQ(chain, 120);
    return verdict();
}
