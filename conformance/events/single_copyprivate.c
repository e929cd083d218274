// single whose value every thread gets (2.10.2, 2.21.6.2).
//@ threads: 2
#include "events.h"

static flag_t begun;
static int value;

int main(void) {
#pragma omp parallel private(value)
  {
    if (omp_get_thread_num() == 1)
      wait_for(&begun);
#pragma omp single copyprivate(value)
    {
      value = 1;
      set(&begun);
    }
    work(); // after the construct
  }
  return 0;
}
