// A league of two teams of one thread, on the host (2.7).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp teams num_teams(2) thread_limit(1)
  work();
  return 0;
}
