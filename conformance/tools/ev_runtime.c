// A loop whose schedule the environment chooses; each iteration marks its number.
#include <omp.h>

#include "journal.h"

int main(void) {
  omp_get_max_threads();
  journal_mark("before_runtime", 0);
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < 40; i++)
    journal_mark("runtime", i);
  journal_mark("after_runtime", 0);
  return 0;
}
