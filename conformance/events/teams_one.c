// A league of one team (2.7).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp teams num_teams(1)
  work();
  return 0;
}
