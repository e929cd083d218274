// A loop without a barrier (2.11.4).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < 8; i++)
      work();
    work(); // after the loop
  }
  return 0;
}
