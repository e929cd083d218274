// A variable that is declared with link: it is mapped by the constructs that use it, through a pointer on the device.
// OpenMP 5.1, 2.14.7
//@ threads: 1
//@ devices: 1
#include "events.h"

int x = 1;
#pragma omp declare target link(x)

int main(void) {
#pragma omp target map(tofrom : x)
  x++;
  return 0;
}
