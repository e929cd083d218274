// A target region whose variables are firstprivate: small ones travel with the kernel, an array is copied, and nothing is mapped.
// OpenMP 5.1, 2.21.4.4
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
  int x = 1, a[16] = {1};
#pragma omp target firstprivate(x, a)
  a[0] += x;
  return 0;
}
