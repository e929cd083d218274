// A combined construct: the kernel is asked for two teams. What happens in the region is the device's. OpenMP 5.1, 2.16.8
//@ threads: 2
//@ devices: 1
//@ compilers: clang
#include "events.h"

int main(void) {
  int a[8];
#pragma omp target teams distribute parallel for num_teams(2) map(from : a)
  for (int i = 0; i < 8; i++)
    a[i] = i;
  return 0;
}
