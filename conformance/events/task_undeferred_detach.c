// An undeferred task with an event: its generating task goes on when the code has returned, and fulfils the event (2.12.1, 1.2.5). The
// task completes at the taskwait, and its sibling with a dependence comes behind it.
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
    int x = 0;
    omp_event_handle_t event;
#pragma omp task detach(event) if (omp_get_max_threads() < 0) depend(out : x)
    work();
#pragma omp task depend(in : x)
    work();
    omp_fulfill_event(event);
#pragma omp taskwait
  }
  return 0;
}
