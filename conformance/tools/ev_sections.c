// Sections, of which each marks its number: combined with the region, alone, with and without a wait.
#include <omp.h>

#include "journal.h"

int main(void) {
  // Brings the runtime up, and with it the tool.
  omp_get_max_threads();
  journal_mark("before_combined", 0);
#pragma omp parallel sections
  {
#pragma omp section
    journal_mark("combined", 0);
#pragma omp section
    journal_mark("combined", 1);
#pragma omp section
    journal_mark("combined", 2);
  }
  journal_mark("after_combined", 0);

  journal_mark("before_alone", 0);
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      journal_mark("alone", 0);
#pragma omp section
      journal_mark("alone", 1);
    }
#pragma omp sections nowait
    {
#pragma omp section
      journal_mark("alone", 2);
    }
  }
  journal_mark("after_alone", 0);
  return 0;
}
