// cancel taskgroup: the task that asks ends, tasks that have not begun are discarded, the others end at their next cancellation
// point, and the group's end does not wait for the discarded. OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
#include "check.h"

enum { TASKS = 60 };

int main(void) {
    for (int round = 0; round < 40; round++) {
        int begun = 0, past = 0, behind = 0, others = 0;
#pragma omp parallel shared(begun, past, behind, others)
#pragma omp single
        {
#pragma omp taskgroup
            {
#pragma omp task if(0)
                {
                    __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
#pragma omp cancel taskgroup
                    __atomic_fetch_add(&past, 1, __ATOMIC_RELAXED);
                }
                for (int i = 0; i < TASKS; i++) {
#pragma omp task
                    {
                        __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
#pragma omp cancellation point taskgroup
                        __atomic_fetch_add(&past, 1, __ATOMIC_RELAXED);
                    }
                }
            }
            behind++;
            for (int i = 0; i < 10; i++) {
#pragma omp task
                __atomic_fetch_add(&others, 1, __ATOMIC_RELAXED);
            }
        }
        CHECK_EQ(begun, 1);
        CHECK_EQ(past, 0);
        CHECK_EQ(behind, 1);
        CHECK_EQ(others, 10);
    }
    return verdict();
}
