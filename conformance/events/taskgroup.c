// taskgroup waits for its tasks (2.19.6).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp taskgroup
    {
#pragma omp task
      work();
    }
  }
  return 0;
}
