// Flow, anti and output dependences (2.19.11).
//@ threads: 2
#include "events.h"

static int x, y;

int main(void) {
#pragma omp parallel
  if (is_first()) {
#pragma omp task depend(out : x)
    work();
#pragma omp task depend(in : x)
    work();
#pragma omp task depend(inout : x)
    work();
#pragma omp task depend(out : y) // no dependence on the others
    work();
#pragma omp taskwait
    set(&through);
  }
  return 0;
}
