// A target task that depends on a detached task of the host, and one that a detached task waits for. The event of one
// detached task is fulfilled by the task itself, the event of the other by the task that generates it. OpenMP 5.1,
// 2.12.1
//@ devices: 1 3
//@ needs: gcc 11
#include "device.h"

/// What the tasks after the target task leave in `x`, which the detached task sets to 5.
static int result(int fulfills_itself) {
    int x = 0, after = 0;
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task detach(event) depend(out : x) shared(x)
        {
            x = 5;
            if (fulfills_itself) omp_fulfill_event(event);
        }
#pragma omp target nowait depend(inout : x) map(tofrom : x)
        x *= 3;
#pragma omp task depend(in : x) shared(after)
        after = x;
        if (!fulfills_itself) omp_fulfill_event(event);
#pragma omp taskwait
    }
    CHECK_EQ(x, 15);
    return after;
}

int main(void) {
    CHECK_EQ(result(0), 15);
    CHECK_EQ(result(1), 15);
    return verdict();
}
