// A region inside an active one, where one level may be active, has a team of one (2.6.1).
//@ threads: 2
//@ env: OMP_MAX_ACTIVE_LEVELS=1
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
