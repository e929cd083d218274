// A target region that is not waited for: its target task is left while the region goes on, and completed by the thread that learns of
// the region's end. OpenMP 5.1, 2.14.5, 2.12.1
//@ threads: 1
//@ devices: 1
//@ compilers: clang
#include "events.h"

int main(void) {
  int x = 1;
  flag_t gate = 0;
  unsigned long at = GATE(gate);
#pragma omp target map(tofrom : x) firstprivate(at) nowait
  {
    wait_at(at);
    x++;
  }
  set(&gate);
#pragma omp taskwait
  return 0;
}
