// Tasks of a `single nowait` in the teams of a league, whose initial tasks wait for them.
#include <omp.h>

#include "journal.h"

static volatile int sink;

int main(void) {
  omp_get_max_threads();
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
#pragma omp single nowait
  {
#pragma omp task
    sink = 1;
#pragma omp task
    sink = 2;
#pragma omp taskwait
  }
  return 0;
}
