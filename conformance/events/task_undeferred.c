// A task with a false if clause (2.12.1).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp task if (omp_get_max_threads() < 0)
    work();
  }
  return 0;
}
