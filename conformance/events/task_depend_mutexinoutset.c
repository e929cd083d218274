// mutexinoutset: two tasks in any order, one at a time, and one after them (2.19.11).
//@ threads: 1
#include "events.h"

static int x;

int main(void) {
#pragma omp parallel
  {
#pragma omp task depend(mutexinoutset : x)
    work();
#pragma omp task depend(mutexinoutset : x) // the second of the set
    work();
#pragma omp task depend(in : x)
    work();
  }
  return 0;
}
