// A region in a task in a region (2.6, 2.12.1). One thread.
//@ threads: 1
#include "events.h"

static void inner(void) {
#pragma omp parallel // in the task
  work();
}

int main(void) {
#pragma omp parallel
  {
#pragma omp task
    inner();
  }
  return 0;
}
