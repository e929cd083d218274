// A detached task whose event is fulfilled in its code (2.12.1).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
    omp_event_handle_t event;
#pragma omp task detach(event)
    omp_fulfill_event(event);
#pragma omp taskwait
  }
  return 0;
}
