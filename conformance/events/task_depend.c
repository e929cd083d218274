// Flow, anti and output dependences (2.19.11).
//@ threads: 1
#include "events.h"

static int x, y;

int main(void) {
#pragma omp parallel
  {
#pragma omp task depend(out : x)
    work();
#pragma omp task depend(in : x)
    work();
#pragma omp task depend(inout : x)
    work();
#pragma omp task depend(out : y) // no dependence on the others
    work();
  }
  return 0;
}
