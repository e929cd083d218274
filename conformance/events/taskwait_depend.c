// taskwait for one of two tasks (2.19.5).
//@ threads: 2
#include "events.h"

static int x;

int main(void) {
#pragma omp parallel
  if (is_first()) {
#pragma omp task depend(out : x)
    work();
#pragma omp taskwait depend(in : x)
#pragma omp taskwait
    set(&through);
  }
  return 0;
}
