// taskloop with a grainsize (2.12.2).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp taskloop grainsize(3)
    for (int i = 0; i < 6; i++)
      work();
  }
  return 0;
}
