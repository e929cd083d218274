// Parallel regions of every kind, each between marks: combined, executed by one thread for four reasons, nested, in a league.
#include <omp.h>

#include "journal.h"

static volatile int sink;

int main(void) {
  int no = omp_get_level();
  omp_set_max_active_levels(1);
  journal_mark("plain", 0);
#pragma omp parallel // at plain
  sink = 1;
  journal_mark("threads", 0);
#pragma omp parallel num_threads(3) // at threads
  sink = 1;
  journal_mark("one", 0);
#pragma omp parallel num_threads(1) // at one
  sink = 1;
  journal_mark("if_false", 0);
#pragma omp parallel if (no) // at if_false
  sink = 2;
  journal_mark("for_dynamic", 0);
#pragma omp parallel for schedule(dynamic) // at for_dynamic
  for (int i = 0; i < 4; i++)
    sink = i;
  journal_mark("for_static", 0);
#pragma omp parallel for // at for_static
  for (int i = 0; i < 4; i++)
    sink = i;
  journal_mark("sections", 0);
#pragma omp parallel sections // at sections
  {
    sink = 1;
#pragma omp section
    sink = 2;
  }
  journal_mark("nested", 0);
#pragma omp parallel num_threads(2) // at nested
#pragma omp parallel num_threads(2) // at inner
  sink = 4;
  journal_mark("league", 0);
#pragma omp teams num_teams(2) // at league
#pragma omp parallel num_threads(2) // at in_league
  sink = 5;
  journal_mark("league_of_one", 0);
#pragma omp teams num_teams(1) // at league_of_one
  sink = 6;
  journal_mark("league_unasked", 0);
#pragma omp teams // at league_unasked
  sink = 7;
  journal_mark("distribute", 0);
#pragma omp teams distribute parallel for num_teams(2) num_threads(2) // at distribute
  for (int i = 0; i < 8; i++)
    sink = i;
  journal_mark("over", 0);
  return 0;
}
