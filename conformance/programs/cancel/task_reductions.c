// Cancelled loops, taskgroups and regions with task reductions: what has contributed before counts, nothing hangs, and the next constructs
// are whole. OpenMP 5.1, 2.20.1 (cancel), 2.21.5.4-6
//@ env: OMP_CANCELLATION=true
//@ stock-fails: clang because libomp hangs
#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        long loop = 0, group = 0, region = 0, whole = 0, threads = 0;
#pragma omp parallel reduction(+ : threads)
        {
            threads++;
#ifndef __clang__ // whose cancelling thread leaves out a barrier of the reduction
#pragma omp for reduction(task, + : loop) schedule(dynamic, 1)
            for (int i = 0; i < 200; i++) {
#pragma omp task in_reduction(+ : loop)
                loop += 1;
                if (i == 50) {
#pragma omp cancel for
                }
            }
#endif
#pragma omp single
            {
#pragma omp taskgroup task_reduction(+ : group)
                for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : group)
                    {
                        group += 1;
                        if (i == 20) {
#pragma omp cancel taskgroup
                        }
                    }
                }
            }
#pragma omp for reduction(task, + : whole)
            for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : whole)
                whole += 1;
            }
        }
        CHECK(loop >= 0 && loop <= 200, "%ld tasks of the loop", loop);
        CHECK(group >= 0 && group <= 100, "%ld tasks of the group", group);
        CHECK_EQ(whole, 100);
#pragma omp parallel reduction(task, + : region)
        {
            for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : region)
                region += 1;
            }
            if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
            }
#pragma omp cancellation point parallel
        }
        CHECK(region >= 0 && region <= 10 * threads, "%ld tasks of the region", region);
        long again = 0;
#pragma omp parallel reduction(task, + : again)
        {
#pragma omp task in_reduction(+ : again)
            again += 1;
        }
        CHECK_EQ(again, threads);
    }
    return verdict();
}
