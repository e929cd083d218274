// A taskgroup is cancelled: its queued task is discarded (2.20).
//@ threads: 2
//@ env: OMP_CANCELLATION=true
#include "events.h"

int main(void) {
#pragma omp parallel
  if (is_first()) {
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
    set(&through);
  }
  return 0;
}
