// A loop distributed in chunks (2.11.6.1).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp teams num_teams(1) thread_limit(1)
  {
#pragma omp distribute dist_schedule(static, 2)
    for (int i = 0; i < 4; i++)
      work();
  }
  return 0;
}
