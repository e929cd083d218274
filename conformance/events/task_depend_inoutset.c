// inoutset: two tasks in any order, and one after them (2.19.11). gcc 12 does not know it.
//@ threads: 2
//@ compilers: clang
#include "events.h"

static int x;

int main(void) {
#pragma omp parallel
  if (is_first()) {
#pragma omp task depend(inoutset : x)
    work();
#pragma omp task depend(inoutset : x) // the second of the set
    work();
#pragma omp task depend(in : x)
    work();
#pragma omp taskwait
    set(&through);
  }
  return 0;
}
