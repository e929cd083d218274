// master, which 5.1 calls masked (2.8).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp master
    work();
  }
  return 0;
}
