// A task that another thread executes, in the barrier (2.12.1).
//@ threads: 2
#include "events.h"

static flag_t done;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task
      set(&done);
      wait_for(&done);
    }
  }
  return 0;
}
