// An undeferred task with a dependence that is not satisfied: its thread executes the other one first (2.12.1).
//@ threads: 1
#include "events.h"

static int x;

int main(void) {
#pragma omp parallel
  {
#pragma omp task depend(out : x)
    work();
#pragma omp task depend(in : x) if (omp_get_max_threads() < 0)
    work();
  }
  return 0;
}
