// A flush of each form, on the initial thread and in a region.
#include <omp.h>

static volatile int flag;

int main(void) {
#pragma omp flush // first
#pragma omp parallel
  {
    flag = 1;
#pragma omp flush acq_rel // inside
    flag = 2;
  }
  return 0;
}
