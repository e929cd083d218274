// scope with a reduction (2.9, 2.21.5). clang 19 cannot compile it.
//@ threads: 2
//@ compilers: gcc
#include "events.h"

static int sum;

int main(void) {
#pragma omp parallel
  {
#pragma omp scope reduction(+ : sum) nowait
    sum++;
  }
  return 0;
}
