// Constructs outside of any region bind to the initial task (2.10, 2.11.4, 2.19.1).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp single
  work();
#pragma omp for schedule(dynamic, 2)
  for (int i = 0; i < 4; i++)
    work();
#pragma omp critical
  work();
  return 0;
}
