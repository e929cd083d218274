// Two devices: each is brought up by the first construct that chooses it, has a mapping of its own, and both end with the program.
// OpenMP 5.1, 2.14.1, 2.14.5
//@ threads: 1
//@ devices: 2
//@ compilers: clang
#include "events.h"

int main(void) {
  int x = 1;
#pragma omp target map(tofrom : x) device(1)
  x++;
#pragma omp target data map(to : x) device(0)
  {
#pragma omp target map(tofrom : x) device(1)
    x++;
#pragma omp target map(tofrom : x) device(0)
    x++;
  }
  return 0;
}
