// A task that a single construct generates and its barrier executes (2.10.2, 2.12.1). One thread.
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp task
      work();
    }
    work(); // after the construct
  }
  return 0;
}
