// Detachable tasks of a cancelled taskgroup are discarded; fulfilling their events later has no effect, whatever became of their memory.
// OpenMP 5.1, 2.20.1 (cancel taskgroup), 2.12.1 (detach clause), 3.5.1 (omp_fulfill_event)
//@ env: OMP_CANCELLATION=true
//@ stock-fails: gcc because libgomp ends the program at the event of a discarded task
//@ stock-fails: clang because libomp hangs in the taskgroup, whose detachable tasks it discards
//@ needs: gcc 11
#include "check.h"

enum { TASKS = 20, ROUNDS = 5 };

int main(void) {
    for (int round = 0; round < ROUNDS; round++) {
        int ran = 0, later = 0, done = 0, last = 0;
#pragma omp parallel
#pragma omp single
        {
            omp_event_handle_t events[TASKS];
            // Not inside: a variable of the block is gone before the taskgroup has waited for its tasks.
            int gate = 0;
#pragma omp taskgroup
            {
                // The tasks below cannot begin before this one, inside of which they are cancelled.
#pragma omp task depend(out : gate) shared(gate)
                {
                    gate = 1;
#pragma omp task
                    {
#pragma omp cancel taskgroup
                    }
#pragma omp taskwait
                }
                for (int i = 0; i < TASKS; i++) {
                    omp_event_handle_t event;
#pragma omp task depend(in : gate) detach(event) shared(ran)
#pragma omp atomic
                    ran++;
                    events[i] = event;
                }
            }
            // Some of these get the memory of the tasks that are gone, and none may be complete before its own event is fulfilled.
            for (int i = 0; i < 2 * TASKS; i++) {
                omp_event_handle_t event;
#pragma omp task detach(event) depend(out : last) shared(later)
#pragma omp atomic
                later++;
                int fulfilled = 0;
#pragma omp task depend(in : last) shared(fulfilled, done)
                {
                    int seen;
#pragma omp atomic read
                    seen = fulfilled;
                    CHECK_EQ(seen, 1);
#pragma omp atomic
                    done++;
                }
                if (i < TASKS)
                    omp_fulfill_event(events[i]);
#pragma omp taskyield
#pragma omp atomic write
                fulfilled = 1;
                omp_fulfill_event(event);
#pragma omp taskwait
            }
        }
        (void)last;
        CHECK_EQ(ran, 0);
        CHECK_EQ(later, 2 * TASKS);
        CHECK_EQ(done, 2 * TASKS);
    }
    return verdict();
}
