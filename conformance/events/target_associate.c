// Memory that the program associates with a variable: nothing is allocated, and copied only when the program says so.
// OpenMP 5.1, 3.8.9, 3.8.10
//@ threads: 1
//@ devices: 1
//@ compilers: clang
#include "events.h"

int main(void) {
  int x = 1;
  int *there = omp_target_alloc(sizeof x, 0);
  omp_target_associate_ptr(&x, there, sizeof x, 0, 0);
#pragma omp target map(always, to : x)
  x++;
  omp_target_disassociate_ptr(&x, 0);
  omp_target_free(there, 0);
  return 0;
}
