// Two sections, one each: the first thread is inside before the second comes (2.10.1).
//@ threads: 2
#include "events.h"

static flag_t begun, inside;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 1)
      wait_for(&begun);
#pragma omp sections
    {
#pragma omp section
      {
        set(&begun);
        meet(&inside, 2);
      }
#pragma omp section // the second
      meet(&inside, 2);
    }
    work(); // after the construct
  }
  return 0;
}
