// Four threads: a loop, a barrier and a critical section (2.6, 2.11.4, 2.19).
//@ threads: 4
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 4; i++)
      work();
#pragma omp barrier
#pragma omp critical
    work();
  }
  return 0;
}
