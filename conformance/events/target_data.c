// A target data region, and a target region inside that uses what is there: one memory, one copy each way. OpenMP 5.1, 2.14.2
//@ threads: 1
//@ devices: 1
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
