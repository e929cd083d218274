// Each thread of a region opens a region of two (2.6).
//@ threads: 2
//@ env: OMP_MAX_ACTIVE_LEVELS=2
#include "events.h"

static void inner(void) {
#pragma omp parallel num_threads(2) // the inner region
  work();
}

int main(void) {
#pragma omp parallel num_threads(2) // the outer region
  inner();
  return 0;
}
