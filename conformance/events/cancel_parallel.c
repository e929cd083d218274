// A region is cancelled: one thread activates it, the other detects it at a cancellation point (2.20).
//@ threads: 1
//@ env: OMP_CANCELLATION=true
#include "events.h"

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    }
    while (!omp_get_cancellation())
      work();
#pragma omp cancellation point parallel
  }
  return 0;
}
