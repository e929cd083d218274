// An undeferred task with a dependence that is not satisfied: its thread executes the other one first (2.12.1).
//@ threads: 2
#include "events.h"

static int x;

int main(void) {
#pragma omp parallel
  if (is_first()) {
#pragma omp task depend(out : x)
    work();
#pragma omp task depend(in : x) if (omp_get_max_threads() < 0)
    work();
#pragma omp taskwait
    set(&through);
  }
  return 0;
}
