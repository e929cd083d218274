// Scope regions: one whose reduction tasks take part in, and a plain one.
#include <omp.h>

#include "journal.h"

static volatile int sink;

int main(void) {
  int sum = 0;
  omp_get_max_threads();
  journal_mark("before_tasks", 0);
#pragma omp parallel
#pragma omp scope reduction(task, + : sum)
  {
    sum++;
#pragma omp taskwait
  }
  journal_mark("before_plain", 0);
#pragma omp parallel
#pragma omp scope nowait
  sink = 1;
  journal_mark("over", 0);
  return sum != omp_get_max_threads();
}
