// The loop construct, which leaves its execution to the compiler (2.11.7).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp loop bind(parallel)
    for (int i = 0; i < 4; i++)
      work();
    work(); // after the construct
  }
  return 0;
}
