// A region of two threads (2.6).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  work();
  return 0;
}
