// The reduction variable of a combined construct is mapped tofrom, and reduced on the device. OpenMP 5.1, 2.21.5, 2.21.7
//@ threads: 2
//@ devices: 1
//@ compilers: clang
#include "events.h"

int main(void) {
  int sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < 8; i++)
    sum += i;
  return 0;
}
