// taskyield with a task queued: the current task may be suspended (2.12.6).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  if (is_first()) {
#pragma omp task
    work();
#pragma omp taskyield
    work();
#pragma omp taskwait
    set(&through);
  }
  return 0;
}
