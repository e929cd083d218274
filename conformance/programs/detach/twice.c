// An event fulfilled twice: the second time counts for nothing, and one line says so. OpenMP 5.1, 3.5.1 (omp_fulfill_event)
//@ expect-stderr: ferromp: omp_fulfill_event no event that is open; ignored
//@ stock-fails: gcc because it aborts
//@ stock-fails: clang because it may complete the task twice
//@ needs: gcc 11
#include "check.h"

int main(void) {
    omp_event_handle_t kept = 0;
    int ran = 0;
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(ran)
        {
#pragma omp atomic
            ran++;
        }
        kept = event;
        omp_fulfill_event(event);
#pragma omp taskwait
        omp_fulfill_event(kept);
    }
    CHECK_EQ(ran, 1);
    return verdict();
}
