// A parallel region of two threads.
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  work();
  return 0;
}
