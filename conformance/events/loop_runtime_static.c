// schedule(runtime) with a static OMP_SCHEDULE: both compilers ask the runtime (2.11.4). One thread.
//@ threads: 1
//@ env: OMP_SCHEDULE=static,2
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(runtime)
    for (int i = 0; i < 5; i++)
      work();
    work(); // after the loop
  }
  return 0;
}
