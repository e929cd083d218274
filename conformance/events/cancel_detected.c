// A thread detects at a barrier that the region is cancelled (2.20).
//@ threads: 2
//@ env: OMP_CANCELLATION=true
#include "events.h"

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    } else {
#pragma omp barrier
    }
  }
  return 0;
}
