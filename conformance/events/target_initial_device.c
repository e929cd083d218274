// A target region that asks for the host by its number, and one that asks for the device. OpenMP 5.1, 2.14.5, 3.7.7
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
  int x = 1;
#pragma omp target map(tofrom : x) device(omp_get_initial_device())
  x++;
#pragma omp target map(tofrom : x) device(0)
  x++;
  return 0;
}
