// A final task and the included task in it (2.12.1).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp task final(omp_get_max_threads() > 0)
    {
#pragma omp task // the included one
      work();
    }
  }
  return 0;
}
