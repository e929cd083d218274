// A worksharing loop combined with its region (2.16.1): no barrier of its own.
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < 4; i++)
    work();
  return 0;
}
