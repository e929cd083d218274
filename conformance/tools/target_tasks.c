// Device constructs without nowait, and with it, in a serial part, in a parallel region and in a league, with marks between them.
#include <omp.h>

#include "journal.h"

int main(void) {
  int x = 0;
  journal_mark("serial", omp_get_initial_device());
#pragma omp target enter data map(to : x)
#pragma omp target teams distribute num_teams(2) map(tofrom : x)
  for (int i = 0; i < 2; i++) {
#pragma omp atomic
    x++;
  }
#pragma omp target update from(x)
  journal_mark("parallel", 0);
#pragma omp parallel num_threads(2)
  {
#pragma omp target update to(x)
  }
  journal_mark("league", 0);
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(2)
  {
#pragma omp target update to(x)
  }
  journal_mark("task", 0);
#pragma omp task if (0) shared(x)
  {
#pragma omp target update from(x)
  }
  journal_mark("nowait", 0);
#pragma omp target update from(x) nowait
#pragma omp taskwait
  journal_mark("exit", 0);
#pragma omp target exit data map(delete : x)
  journal_mark("end", 0);
  return x == 0;
}
