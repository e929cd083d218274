// An untied task (2.12.1).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp task untied
    work();
  }
  return 0;
}
