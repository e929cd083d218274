// A reduction of a loop (2.21.5).
//@ threads: 2
#include "events.h"

static int sum;

int main(void) {
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum) schedule(static)
    for (int i = 0; i < 4; i++)
      sum += i;
    work(); // after the construct
  }
  return 0;
}
