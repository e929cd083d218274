// A barrier outside of any region binds to the initial task's region of one (2.19.2).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp barrier
  work();
  return 0;
}
