// masked combined with its region (2.16.5).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel masked
  work();
  return 0;
}
