// scope with its barrier (2.9). clang 19 cannot compile it.
//@ threads: 2
//@ compilers: gcc
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp scope
    work();
    work(); // after the construct
  }
  return 0;
}
