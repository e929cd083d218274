// An untied task (2.12.1).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  if (is_first()) {
#pragma omp task untied
    work();
#pragma omp taskwait
    set(&through);
  }
  return 0;
}
