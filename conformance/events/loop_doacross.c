// Dependences between iterations (2.19.9.1).
//@ threads: 2
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
      work();
#pragma omp ordered depend(source)
    }
    work(); // after the construct
  }
  return 0;
}
