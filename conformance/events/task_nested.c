// A task that generates a task and waits for it (2.12.1, 2.19.5).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp task // the outer one
    {
#pragma omp task // the inner one
      work();
#pragma omp taskwait
    }
  }
  return 0;
}
