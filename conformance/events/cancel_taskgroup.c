// A taskgroup is cancelled: its queued task is discarded (2.20). One thread.
//@ threads: 1
//@ env: OMP_CANCELLATION=true
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp taskgroup
    {
#pragma omp task // discarded
      work();
#pragma omp task if (0) // cancels
      {
#pragma omp cancel taskgroup
        work();
      }
    }
  }
  return 0;
}
