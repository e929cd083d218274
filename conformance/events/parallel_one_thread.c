// A region of one thread has the events of many (2.6).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  work();
  return 0;
}
