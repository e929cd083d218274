// A loop dealt out in chunks of one (2.11.4).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 4; i++)
      work();
    work(); // after the loop
  }
  return 0;
}
