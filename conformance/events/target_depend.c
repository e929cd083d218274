// A target region with a dependence, which is waited for: its target task is an included one, whose dependences are met first.
// OpenMP 5.1, 2.14.5, 2.19.11
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
  int x = 1;
#pragma omp task depend(out : x) shared(x)
  x++;
#pragma omp target map(tofrom : x) depend(inout : x)
  x++;
  return 0;
}
