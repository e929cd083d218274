// A loop without iterations (2.11.4).
//@ threads: 2
#include "events.h"

static volatile int zero;

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < zero; i++)
      work();
    work(); // after the loop
  }
  return 0;
}
