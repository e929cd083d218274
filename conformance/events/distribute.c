// A loop distributed over the teams of a league (2.11.6.1).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp teams num_teams(2) thread_limit(1)
  {
#pragma omp distribute
    for (int i = 0; i < 4; i++)
      work();
  }
  return 0;
}
