// taskwait for one of two tasks (2.19.5).
//@ threads: 1
#include "events.h"

static int x;

int main(void) {
#pragma omp parallel
  {
#pragma omp task depend(out : x)
    work();
#pragma omp taskwait depend(in : x)
  }
  return 0;
}
