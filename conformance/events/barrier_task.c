// A task that is executed in an explicit barrier (2.19.2). The second thread comes when it is over.
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
#pragma omp barrier
  }
  return 0;
}
