// A reduction of a taskloop (2.12.2, 2.21.5).
//@ threads: 1
#include "events.h"

static int sum;

int main(void) {
#pragma omp parallel
  {
#pragma omp taskloop num_tasks(2) reduction(+ : sum)
    for (int i = 0; i < 4; i++)
      sum++;
  }
  return 0;
}
