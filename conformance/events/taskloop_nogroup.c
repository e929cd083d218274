// taskloop without a taskgroup (2.12.2).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp taskloop num_tasks(2) nogroup
    for (int i = 0; i < 4; i++)
      work();
  }
  return 0;
}
