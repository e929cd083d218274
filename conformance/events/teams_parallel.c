// A region inside each team of a league (2.7).
//@ threads: 2
#include "events.h"

static void inner(void) {
#pragma omp parallel num_threads(2)
  work();
}

int main(void) {
#pragma omp teams num_teams(1) thread_limit(2)
  inner();
  return 0;
}
