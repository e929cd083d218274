// taskwait executes the task that it waits for (2.19.5).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp task
    work();
#pragma omp taskwait
  }
  return 0;
}
