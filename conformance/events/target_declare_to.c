// A variable that is declared for the device: it is there as long as the program's image is, and copied by target update alone.
// OpenMP 5.1, 2.14.7
//@ threads: 1
//@ devices: 1
#include "events.h"

int x = 1;
#pragma omp declare target to(x)

int main(void) {
#pragma omp target
  x++;
#pragma omp target update from(x)
  return 0;
}
