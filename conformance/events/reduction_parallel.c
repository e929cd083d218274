// A reduction of a region (2.21.5).
//@ threads: 2
#include "events.h"

static int sum;

int main(void) {
#pragma omp parallel reduction(+ : sum)
  sum++;
  return 0;
}
