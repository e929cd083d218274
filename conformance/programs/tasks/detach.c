// A detachable task is complete when its body has returned and its event is fulfilled, whichever comes last: by the body itself, by a
// sibling, by a task outside the dependence chain. OpenMP 5.1, 2.12.1 (detach clause), 3.5.1
//@ needs: gcc 11
#include "check.h"

int main(void) {
    for (int round = 0; round < 50; round++) {
        int body = 0, fulfilled = 0, after = 0, own = 0;
#pragma omp parallel
#pragma omp single
        {
            omp_event_handle_t event;
#pragma omp task detach(event) depend(out : body)
            body = 1;
#pragma omp task depend(in : body)
            {
                int seen;
#pragma omp atomic read
                seen = fulfilled;
                CHECK_EQ(body, 1);
                CHECK_EQ(seen, 1);
                after = 1;
            }
#pragma omp task firstprivate(event)
            {
#pragma omp atomic write
                fulfilled = 1;
                omp_fulfill_event(event);
            }
#pragma omp taskwait
            CHECK_EQ(after, 1);

            omp_event_handle_t early;
#pragma omp task detach(early)
            {
                own = 1;
                omp_fulfill_event(early);
            }
#pragma omp taskwait
            CHECK_EQ(own, 1);
        }
    }
    return verdict();
}
