// Tasks of a team of one run where they are generated: their dependences are told, and none of them waits for another (2.19.11).
//@ threads: 1
#include "events.h"

static int x;

int main(void) {
#pragma omp parallel
  {
#pragma omp task depend(out : x)
    work();
#pragma omp task depend(mutexinoutset : x)
    work();
#pragma omp taskwait depend(in : x)
    work();
  }
  return 0;
}
