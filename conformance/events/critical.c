// A critical section that both threads enter (2.19.1).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp critical
    work();
  }
  return 0;
}
