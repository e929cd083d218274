// Untied tasks that generate very many others, and untied undeferred ones. A mark says how deep the stack got.
#include <omp.h>
#include <stdint.h>

#include "journal.h"

enum { TASKS = 10000 };

static uintptr_t deepest = UINTPTR_MAX;
static volatile int zero;

static void look(void) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (here < deepest)
    deepest = here;
}

int main(void) {
  int count = 0;
#pragma omp parallel num_threads(1)
  {
    uintptr_t top = (uintptr_t)__builtin_frame_address(0);
#pragma omp task untied shared(count)
    for (int index = 0; index < TASKS; index++) {
#pragma omp task untied shared(count)
      {
        look();
#pragma omp task untied if (zero) shared(count)
        {
          look();
#pragma omp taskyield
          count++;
        }
#pragma omp taskyield
        count++;
      }
    }
#pragma omp taskwait
    journal_mark("bytes", top - deepest);
  }
  journal_mark("count", (uint64_t)count);
  return count == 2 * TASKS ? 0 : 1;
}
