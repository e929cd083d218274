// A detached task is fulfilled by a thread other than that of the task (2.12.1).
//@ threads: 2
#include "events.h"

static flag_t executed, fulfilled;
static omp_event_handle_t shared;

int main(void) {
#pragma omp parallel
  {
    omp_event_handle_t event;
    if (omp_get_thread_num() == 0) {
#pragma omp task detach(event)
      work();
#pragma omp taskyield
      shared = event;
      set(&executed);
#pragma omp taskwait
    } else {
      wait_for(&executed);
      omp_fulfill_event(shared);
      set(&fulfilled);
    }
  }
  return 0;
}
