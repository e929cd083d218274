// A task that is queued and executed in the barrier (2.12.1). The second thread comes when it is over.
//@ threads: 2
#include "events.h"

static flag_t done;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task
      set(&done);
    } else
      wait_for(&done);
  }
  return 0;
}
