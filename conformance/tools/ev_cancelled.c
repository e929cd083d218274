// Worksharing constructs that are cancelled: a loop of each way of handing out iterations, and sections. In each the first
// iteration that is executed cancels, and the end is reached all the same.
#include <omp.h>

#include "journal.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 100; i++) {
      journal_mark("dynamic", i);
#pragma omp cancel for
    }
#pragma omp for schedule(static)
    for (int i = 0; i < 100; i++) {
#pragma omp cancel for
    }
#pragma omp for schedule(static, 1)
    for (int i = 0; i < 100; i++) {
#pragma omp cancel for
    }
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
      }
#pragma omp section
      {
#pragma omp cancellation point sections
      }
    }
  }
  return 0;
}
