// Barriers of every kind: explicit, behind worksharing constructs, behind copyprivate, at the ends of a region and a league.
#include <omp.h>

#include "journal.h"

static volatile int sink;

int main(void) {
  omp_get_max_threads();
#pragma omp parallel
  {
#pragma omp barrier // explicit
    journal_mark("explicit", 0);
#pragma omp for schedule(dynamic) // loop
    for (int i = 0; i < 8; i++)
      sink = i;
    journal_mark("loop", 0);
#pragma omp sections // sections
    {
#pragma omp section
      sink = 1;
#pragma omp section
      sink = 2;
    }
    journal_mark("sections", 0);
#pragma omp single // single
    sink = 3;
    journal_mark("single", 0);
    int own;
#pragma omp single copyprivate(own) // copyprivate
    own = 4;
    journal_mark("copyprivate", own);
  }
  journal_mark("league", 0);
#pragma omp teams num_teams(2)
  sink = 5;
  return 0;
}
