// single: the first thread comes first (2.10.2).
//@ threads: 2
#include "events.h"

static flag_t begun;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 1)
      wait_for(&begun);
#pragma omp single
    set(&begun);
    work(); // after the construct
  }
  return 0;
}
