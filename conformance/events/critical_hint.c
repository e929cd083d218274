// Two critical sections with names; one has a hint (2.19.1).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp critical(first) hint(omp_sync_hint_contended)
    work();
#pragma omp critical(second)
    work();
  }
  return 0;
}
