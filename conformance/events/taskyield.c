// taskyield with a task queued: the current task may be suspended (2.12.6).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp task
    work();
#pragma omp taskyield
    work();
  }
  return 0;
}
