// Three constructs in one directive (2.16.10). One thread.
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel master taskloop num_tasks(2)
  for (int i = 0; i < 4; i++)
    work();
  return 0;
}
