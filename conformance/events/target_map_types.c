// The map types of one target region: to is copied there alone, from back alone, alloc not at all. OpenMP 5.1, 2.21.7.1
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
  int a = 1, b, c;
#pragma omp target map(to : a) map(from : b) map(alloc : c)
  {
    c = a;
    b = c;
  }
  return 0;
}
