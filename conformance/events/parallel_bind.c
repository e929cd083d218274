// proc_bind changes where threads run, not what they report (2.6.2).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel proc_bind(close)
  work();
  return 0;
}
