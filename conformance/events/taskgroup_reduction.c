// A task reduction of a taskgroup (2.21.5.5).
//@ threads: 1
#include "events.h"

static int sum;

int main(void) {
#pragma omp parallel
  {
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task in_reduction(+ : sum)
      sum++;
    }
  }
  return 0;
}
