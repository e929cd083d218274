// A taskgroup waits for a target region with nowait that was begun in it. OpenMP 5.1, 2.19.6
//@ threads: 1
//@ devices: 1
//@ compilers: clang
#include "events.h"

int main(void) {
  int x = 1;
  flag_t gate = 0;
  unsigned long at = GATE(gate);
#pragma omp taskgroup
  {
#pragma omp target map(tofrom : x) firstprivate(at) nowait
    {
      wait_at(at);
      x++;
    }
    set(&gate);
  }
  return 0;
}
