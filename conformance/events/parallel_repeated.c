// Two regions one after the other: the worker stays (2.6).
//@ threads: 2
#include "events.h"

static void first(void) {
#pragma omp parallel
  work();
}

static void second(void) {
#pragma omp parallel
  work();
}

int main(void) {
  first();
  second();
  return 0;
}
