// With OMP_TARGET_OFFLOAD=disabled there is no device: everything happens on the host. OpenMP 5.1, 6.17
//@ threads: 1
//@ devices: 1
//@ env: OMP_TARGET_OFFLOAD=disabled
#include "events.h"

int main(void) {
  int x = 1;
#pragma omp target data map(tofrom : x)
  {
#pragma omp target map(tofrom : x)
    x++;
  }
  return 0;
}
