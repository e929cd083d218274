// Sections are cancelled (2.20). One thread.
//@ threads: 1
//@ env: OMP_CANCELLATION=true
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
        work();
      }
#pragma omp section // not executed
      work();
    }
  }
  return 0;
}
