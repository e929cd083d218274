// Regions inside regions: two active levels of two threads, and a third that is serialised. The first thread of each
// writes its ancestors down.
#include <omp.h>

#include "journal.h"

int main(void) {
  omp_set_max_active_levels(2);
  journal_ancestors("outside");
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0)
      journal_ancestors("first");
#pragma omp parallel num_threads(2)
    {
      if (omp_get_ancestor_thread_num(1) == 0 && omp_get_thread_num() == 0)
        journal_ancestors("second");
#pragma omp parallel num_threads(2)
      {
        if (omp_get_ancestor_thread_num(1) == 0 && omp_get_ancestor_thread_num(2) == 0)
          journal_ancestors("third");
      }
      if (omp_get_ancestor_thread_num(1) == 0 && omp_get_thread_num() == 0)
        journal_ancestors("second_again");
    }
  }
  journal_ancestors("outside_again");
#pragma omp parallel if (0)
  {
    journal_ancestors("serialised");
#pragma omp parallel if (0)
    journal_ancestors("serialised_twice");
    journal_mark("serialised_again", 0);
  }
  return 0;
}
