// target update copies what is there, and does nothing for what is not. OpenMP 5.1, 2.14.6
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
  int x = 1;
#pragma omp target update to(x)
#pragma omp target data map(alloc : x)
  {
#pragma omp target update to(x)
#pragma omp target update from(x)
  }
  return 0;
}
