// Target regions of the threads of a team, each of its own variable, one after the other. OpenMP 5.1, 2.14.5
//@ threads: 2
//@ devices: 1
//@ compilers: clang
#include "events.h"

int main(void) {
#pragma omp parallel
  {
    int x = 1;
    if (!is_first())
      x = 2;
#pragma omp target map(tofrom : x)
    x++;
    set(&through);
  }
  return 0;
}
