// A dependence between tasks of which one is running on another thread (2.19.11).
//@ threads: 2
#include "events.h"

static flag_t running, generated, done;
static int x;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task depend(out : x)
      {
        set(&running);
        wait_for(&generated);
      }
      wait_for(&running);
#pragma omp task depend(in : x)
      set(&done);
      set(&generated);
      wait_for(&done);
    }
  }
  return 0;
}
