// Tasks with priorities: the higher one first, as far as the runtime honours it (2.12.4).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  if (is_first()) {
#pragma omp task priority(1)
    work();
#pragma omp task priority(5)
    work();
#pragma omp taskwait
    set(&through);
  }
  return 0;
}
