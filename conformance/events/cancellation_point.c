// A cancellation point with nothing cancelled (2.20.2).
//@ threads: 1
//@ env: OMP_CANCELLATION=true
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp cancellation point parallel
    work();
  }
  return 0;
}
