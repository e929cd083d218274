// target enter data, target update and target exit data with nowait, each after the one before. OpenMP 5.1, 2.14.3, 2.14.4, 2.14.6
//@ threads: 1
//@ devices: 1
//@ compilers: clang
#include "events.h"

int main(void) {
  int x = 1;
  flag_t gate = 0;
  unsigned long at = GATE(gate);
#pragma omp target firstprivate(at) nowait depend(out : x)
  wait_at(at);
#pragma omp target enter data map(to : x) nowait depend(inout : x)
#pragma omp target update from(x) nowait depend(inout : x)
#pragma omp target exit data map(from : x) nowait depend(inout : x)
  set(&gate);
#pragma omp taskwait
  return 0;
}
