// A critical section that the second thread waits for (2.19.1).
//@ threads: 2
#include "events.h"

static flag_t inside;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 1)
      wait_for(&inside);
#pragma omp critical
    set(&inside);
  }
  return 0;
}
