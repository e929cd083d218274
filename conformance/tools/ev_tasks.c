// Kinds of tasks on a team of one thread, so that the order of events is known; marks enclose each kind, and a mark in
// each task's body says where it ran.
#include <omp.h>

#include "journal.h"

static volatile int zero, one = 1;

int main(void) {
#pragma omp parallel num_threads(1)
  {
    journal_mark("deferred", 0);
#pragma omp task
    journal_mark("deferred_body", 0);
#pragma omp taskwait
    journal_mark("undeferred", 0);
#pragma omp task if (zero)
    {
      journal_ancestors("in_place");
      journal_mark("undeferred_body", 0);
    }
    journal_mark("untied", 0);
#pragma omp task untied
    {
      journal_mark("untied_body", 0);
#pragma omp taskyield
      journal_mark("untied_again", 0);
    }
#pragma omp taskwait
    journal_mark("final", 0);
#pragma omp task final(one)
    journal_mark("final_body", 0);
#pragma omp taskwait
    journal_mark("mergeable", 0);
#pragma omp task mergeable
    journal_mark("mergeable_body", 0);
#pragma omp taskwait
    journal_mark("dependent", 0);
    int value = 0;
#pragma omp task depend(out : value) shared(value)
    value = 1;
#pragma omp task depend(in : value) shared(value)
    journal_mark("dependent_body", value);
#pragma omp taskwait
    journal_mark("nested", 0);
#pragma omp task
    {
      journal_mark("outer_body", 0);
#pragma omp task
      {
        journal_ancestors("inner");
        journal_mark("inner_body", 0);
      }
#pragma omp taskwait
      journal_mark("outer_again", 0);
    }
#pragma omp taskwait
    journal_mark("end", 0);
  }
  return 0;
}
