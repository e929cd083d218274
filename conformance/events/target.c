// A target region with a variable that is copied there and back: memory and copies before the kernel, the mapping, the kernel, then the
// copy back and the memory's end. OpenMP 5.1, 2.14.5, 2.21.7.1
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
  int x = 1;
#pragma omp target map(tofrom : x)
  x++;
  return 0;
}
