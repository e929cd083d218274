// masked for the thread with number 1 (2.8).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp masked filter(1)
    work();
  }
  return 0;
}
