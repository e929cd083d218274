// An update of a type that no instruction updates (2.19.7). clang calls libatomic for it, not the OpenMP runtime.
//@ threads: 1
//@ compilers: gcc
#include "events.h"

static long double sum;

int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    sum += 1.0L;
  }
  return 0;
}
