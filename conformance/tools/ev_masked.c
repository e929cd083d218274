// Masked regions with and without a filter, and one whose filter chooses nobody.
#include <omp.h>

#include "journal.h"

int main(void) {
  omp_get_max_threads();
#pragma omp parallel
  {
#pragma omp masked // plain
    journal_mark("plain", omp_get_thread_num());
#pragma omp barrier
#pragma omp masked filter(omp_get_num_threads() - 1) // filter
    journal_mark("filter", omp_get_thread_num());
#pragma omp barrier
#pragma omp masked filter(1000)
    journal_mark("nobody", 0);
  }
  return 0;
}
