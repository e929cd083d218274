// A loop is cancelled (2.20). One thread.
//@ threads: 1
//@ env: OMP_CANCELLATION=true
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 4; i++) {
#pragma omp cancel for if (i == 1)
      work();
    }
  }
  return 0;
}
