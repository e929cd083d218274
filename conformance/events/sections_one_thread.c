// One thread executes three sections in order (2.10.1).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp sections nowait
    {
#pragma omp section
      work();
#pragma omp section // the second
      work();
#pragma omp section // the third
      work();
    }
  }
  return 0;
}
