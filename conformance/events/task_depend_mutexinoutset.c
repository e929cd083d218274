// mutexinoutset: two tasks in any order, one at a time, and one after them (2.19.11).
//@ threads: 2
#include "events.h"

static int x;

int main(void) {
#pragma omp parallel
  if (is_first()) {
#pragma omp task depend(mutexinoutset : x)
    work();
#pragma omp task depend(mutexinoutset : x) // the second of the set
    work();
#pragma omp task depend(in : x)
    work();
#pragma omp taskwait
    set(&through);
  }
  return 0;
}
