// A dependence object stands for its dependence (2.19.10.1).
//@ threads: 2
#include "events.h"

static int x;

int main(void) {
#pragma omp parallel
  if (is_first()) {
    omp_depend_t object;
#pragma omp depobj(object) depend(inout : x)
#pragma omp task depend(depobj : object)
    work();
#pragma omp task depend(depobj : object) // the second
    work();
#pragma omp taskwait
#pragma omp depobj(object) destroy
    set(&through);
  }
  return 0;
}
