// A task that is queued and executed in the barrier (2.12.1). One thread.
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp task
    work();
  }
  return 0;
}
