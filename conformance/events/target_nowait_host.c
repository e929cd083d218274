// On the host a target region with nowait is an ordinary deferred task of its team. OpenMP 5.1, 2.14.5, 2.12.1
//@ threads: 1
#include "events.h"

int main(void) {
  int x = 1;
#pragma omp target map(tofrom : x) nowait
  x++;
#pragma omp taskwait
  return 0;
}
