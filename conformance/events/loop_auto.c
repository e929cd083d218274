// schedule(auto): the implementation chooses (2.11.4). One thread.
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(auto)
    for (int i = 0; i < 4; i++)
      work();
    work(); // after the loop
  }
  return 0;
}
