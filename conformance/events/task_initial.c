// A task of the initial task, outside of any region (2.12.1).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp task
  work();
#pragma omp taskwait
  return 0;
}
