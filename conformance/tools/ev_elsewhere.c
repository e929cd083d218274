// A task that the team's other thread executes while it waits at a barrier; then a task that the generating one makes
// way for at a taskyield construct.
#include <omp.h>

#include "journal.h"

int main(void) {
  int begun = 0;
#pragma omp parallel num_threads(2) shared(begun)
  {
    if (omp_get_thread_num() == 0) {
#pragma omp task shared(begun)
      {
        journal_ancestors("elsewhere");
#pragma omp atomic write
        begun = 1;
      }
      // Not a task scheduling point: nobody but the other thread can execute the task.
      int seen = 0;
      while (!seen) {
#pragma omp atomic read
        seen = begun;
      }
    }
#pragma omp barrier
  }
#pragma omp parallel num_threads(2)
  if (journal_is_first(omp_get_thread_num())) {
#pragma omp task
    journal_mark("made_way_for", 0);
    journal_mark("yields", 0);
#pragma omp taskyield
    journal_mark("yielded", 0);
    journal_is_through();
  }
  return 0;
}
