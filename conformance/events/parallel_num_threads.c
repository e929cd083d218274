// num_threads stands above OMP_NUM_THREADS, and is what was requested (2.6.1).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel num_threads(3)
  work();
  return 0;
}
