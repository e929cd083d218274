// flush (2.19.8).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp flush
    work();
  }
  return 0;
}
