// A mergeable task that is undeferred, so that it may be merged (2.12.1).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp task mergeable if (omp_get_max_threads() < 0)
    work();
  }
  return 0;
}
