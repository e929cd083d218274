// A region whose if clause is false is executed by one thread (2.6).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel if (omp_get_max_threads() < 0)
  work();
  return 0;
}
