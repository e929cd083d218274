// With the modifier always, a variable that is there is copied all the same. OpenMP 5.1, 2.21.7.1
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
  int x = 1;
#pragma omp target data map(alloc : x)
  {
#pragma omp target map(always, tofrom : x)
    x++;
  }
  return 0;
}
