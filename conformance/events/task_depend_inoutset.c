// inoutset: two tasks in any order, and one after them (2.19.11). gcc 12 does not know it.
//@ threads: 1
//@ compilers: clang
#include "events.h"

static int x;

int main(void) {
#pragma omp parallel
  {
#pragma omp task depend(inoutset : x)
    work();
#pragma omp task depend(inoutset : x) // the second of the set
    work();
#pragma omp task depend(in : x)
    work();
  }
  return 0;
}
