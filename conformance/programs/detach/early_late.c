// An event fulfilled before its task's body begins, in it, and after it has returned: the task is complete exactly when both have happened.
// OpenMP 5.1, 2.12.1 (detach clause), 3.5.1 (omp_fulfill_event)
//@ needs: gcc 11
#include "check.h"

int main(void) {
    for (int round = 0; round < 30; round++) {
        int gate = 0, early = 0, inside = 0, late = 0, next = 0;
#pragma omp parallel
#pragma omp single
        {
            omp_event_handle_t event;
#pragma omp task depend(out : gate) shared(gate)
            gate = 1;
            // Cannot begin before the one above is complete.
#pragma omp task depend(in : gate) depend(out : early) detach(event) shared(early)
            early = 1;
            omp_fulfill_event(event);
#pragma omp task depend(in : early) shared(early, next)
            {
                CHECK_EQ(early, 1);
#pragma omp atomic
                next++;
            }

            omp_event_handle_t own;
#pragma omp task detach(own) depend(out : inside) shared(inside) firstprivate(round)
            {
                if (round % 2) omp_fulfill_event(own);
                inside = 1;
                if (round % 2 == 0) omp_fulfill_event(own);
            }
#pragma omp task depend(in : inside) shared(inside, next)
            {
                CHECK_EQ(inside, 1);
#pragma omp atomic
                next++;
            }

            int returned = 0;
            omp_event_handle_t slow;
#pragma omp task detach(slow) depend(out : late) shared(returned)
            {
#pragma omp atomic write
                returned = 1;
            }
#pragma omp task depend(in : late) shared(late, next)
            {
                CHECK_EQ(late, 5);
#pragma omp atomic
                next++;
            }
            int seen = 0;
            // A lone thread need not execute a task before the taskwait.
            while (!seen && omp_get_num_threads() > 1) {
#pragma omp taskyield
#pragma omp atomic read
                seen = returned;
            }
            late = 5;
            omp_fulfill_event(slow);
#pragma omp taskwait
            CHECK_EQ(next, 3);
        }
    }
    return verdict();
}
