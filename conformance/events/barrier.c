// An explicit barrier (2.19.2).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp barrier
    work();
  }
  return 0;
}
