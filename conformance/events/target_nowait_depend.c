// Two target regions of which the second depends on the first: it begins on the thread that learns of the first one's end.
// OpenMP 5.1, 2.14.5, 2.19.11
//@ threads: 1
//@ devices: 1
//@ compilers: clang
#include "events.h"

int main(void) {
  int x = 1;
  flag_t gate = 0;
  unsigned long at = GATE(gate);
#pragma omp target map(tofrom : x) firstprivate(at) nowait depend(out : x)
  {
    wait_at(at);
    x++;
  }
#pragma omp target update to(x) nowait depend(in : x)
  set(&gate);
#pragma omp taskwait
  return 0;
}
