// Each kind of worksharing construct once, with a known count, between marks.
#include <omp.h>

#include "journal.h"

static volatile int sink;

int main(void) {
  omp_set_schedule(omp_sched_guided, 2);
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 11; i++)
      sink = i;
#pragma omp for schedule(dynamic, 3)
    for (long i = 0; i < 12; i++)
      sink = (int)i;
#pragma omp for schedule(guided)
    for (int i = 26; i > 0; i -= 2)
      sink = i;
#pragma omp for schedule(dynamic) nowait
    for (unsigned long i = 0; i < 14; i++)
      sink = (int)i;
#pragma omp sections
    {
#pragma omp section
      sink = 1;
#pragma omp section
      sink = 2;
#pragma omp section
      sink = 3;
    }
#pragma omp masked
    sink = 4;
#pragma omp single nowait
    sink = 5;
  }
  return 0;
}
