// A league of three teams, each with a region of two threads. The first team's initial task writes its ancestors down.
#include <omp.h>

#include "journal.h"

static void visit(void) {
  if (omp_get_team_num() == 0)
    journal_ancestors("team");
}

int main(void) {
#pragma omp teams num_teams(3)
  {
    visit();
#pragma omp parallel num_threads(2)
    journal_mark("inside", omp_get_team_num());
  }
  return 0;
}
