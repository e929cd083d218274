// Two threads take one chunk each of a guided loop: the first thread is inside before the second comes (2.11.4).
//@ threads: 2
#include "events.h"

static flag_t begun, inside;

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 1)
      wait_for(&begun);
#pragma omp for schedule(guided)
    for (int i = 0; i < 2; i++) {
      if (i == 0)
        set(&begun);
      meet(&inside, 2);
    }
    work(); // after the loop
  }
  return 0;
}
