// taskwait with nothing to wait for (2.19.5).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp taskwait
    work();
  }
  return 0;
}
