// A target region without variables: a kernel, and nothing else. OpenMP 5.1, 2.14.5
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
#pragma omp target
  work();
  return 0;
}
