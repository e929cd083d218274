// taskwait executes the task that it waits for (2.19.5).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  if (is_first()) {
#pragma omp task
    work();
#pragma omp taskwait
    set(&through);
  }
  return 0;
}
