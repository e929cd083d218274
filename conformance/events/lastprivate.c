// A loop with lastprivate (2.21.4.5).
//@ threads: 2
#include "events.h"

static int last;

int main(void) {
#pragma omp parallel
  {
#pragma omp for lastprivate(last) schedule(static)
    for (int i = 0; i < 4; i++)
      last = i;
    work(); // after the construct
  }
  return 0;
}
