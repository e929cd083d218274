// Tasks with priorities: the higher one first, as far as the runtime honours it (2.12.4).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp task priority(1)
    work();
#pragma omp task priority(5)
    work();
  }
  return 0;
}
