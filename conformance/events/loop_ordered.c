// A loop with an ordered region in each iteration (2.19.9).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
      work();
    }
    work(); // after the construct
  }
  return 0;
}
