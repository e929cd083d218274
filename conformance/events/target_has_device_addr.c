// A region that uses a variable's counterpart by its address, which use_device_addr told: no mapping of its own.
// OpenMP 5.1, 2.14.2, 2.14.5
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
  int x = 1;
#pragma omp target data map(tofrom : x) use_device_addr(x)
  {
#pragma omp target has_device_addr(x)
    x++;
  }
  return 0;
}
