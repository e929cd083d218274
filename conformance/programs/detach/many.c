// A thousand detached tasks with dependences among them, whose events other tasks fulfil; they have children that outlive their bodies.
// OpenMP 5.1, 2.12.1 (detach clause), 2.19.11 (depend clause)
//@ needs: gcc 11
#include "check.h"

enum { CHAINS = 10, LENGTH = 40 };

int main(void) {
    static int value[CHAINS];
    int children = 0;
#pragma omp parallel
#pragma omp single
    for (int step = 0; step < LENGTH; step++) {
        for (int c = 0; c < CHAINS; c++) {
            omp_event_handle_t event;
#pragma omp task detach(event) depend(inout : value[c]) firstprivate(c, step) shared(children)
            {
                int seen;
                // The task that fulfils the event may be at it already.
#pragma omp atomic read
                seen = value[c];
                CHECK(seen == step || seen == step + 1, "chain %d at %d in step %d", c, seen, step);
#pragma omp task shared(children)
                {
#pragma omp atomic
                    children++;
                }
            }
#pragma omp task firstprivate(event, c)
            {
#pragma omp atomic
                value[c]++;
                omp_fulfill_event(event);
            }
            // One step of a chain at a time.
#pragma omp taskwait
        }
    }
    for (int c = 0; c < CHAINS; c++) CHECK_EQ(value[c], LENGTH);
    CHECK_EQ(children, CHAINS * LENGTH);
    return verdict();
}
