// A loop distributed over teams and their threads (2.11.6.3).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp teams distribute parallel for num_teams(1) thread_limit(2) num_threads(2)
  for (int i = 0; i < 4; i++)
    work();
  return 0;
}
