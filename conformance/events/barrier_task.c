// A task that is executed in an explicit barrier (2.19.2). One thread.
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp task
    work();
#pragma omp barrier
  }
  return 0;
}
