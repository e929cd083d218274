// A reduction of a region in which tasks take part (2.21.5.4). One thread.
//@ threads: 1
#include "events.h"

static int sum;

int main(void) {
#pragma omp parallel reduction(task, + : sum)
  {
#pragma omp task in_reduction(+ : sum)
    sum++;
  }
  return 0;
}
