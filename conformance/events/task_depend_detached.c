// In a team of one, a task waits for one whose event is open; the one beside them does not (2.19.11).
//@ threads: 1
#include "events.h"

static int x, y;

int main(void) {
#pragma omp parallel
  {
    omp_event_handle_t event;
#pragma omp task depend(out : x) detach(event)
    work();
#pragma omp task depend(in : x) // waits
    work();
#pragma omp task depend(in : y) // does not
    work();
    omp_fulfill_event(event);
#pragma omp taskwait
  }
  return 0;
}
