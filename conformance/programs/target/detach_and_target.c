// A target task that depends on a detached task of the host, and one that a detached task waits for. OpenMP 5.1, 2.12.1
//@ devices: 1 3
//@ needs: gcc 11
#include "device.h"

int main(void) {
    int x = 0, after = 0;
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task detach(event) depend(out : x) shared(x)
        x = 5;
#pragma omp target nowait depend(inout : x) map(tofrom : x)
        x *= 3;
#pragma omp task depend(in : x) shared(after)
        after = x;
        omp_fulfill_event(event);
#pragma omp taskwait
    }
    CHECK_EQ(x, 15);
    CHECK_EQ(after, 15);
    return verdict();
}
