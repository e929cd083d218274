/* Undeferred, final and mergeable tasks run at once on the thread that meets them (OpenMP 5.1 §2.12.1), so their results can be read.
 * Twin: the tasks are deferred. */
#include "archer.h"

int main(void) {
  int sum = 0, wrong = 0, started = 0, never = 0;
  (void)never, (void)started;
#pragma omp parallel
#pragma omp single
  {
#ifndef RACY
#pragma omp task if (0) shared(sum)
#else
#pragma omp task shared(sum, started)
#endif
    {
      sum += 1;
      raise_flag(&started);
    }
    await_flag(&started);
    wrong += sum != 1;
#pragma omp task final(1) shared(sum) if (0)
    {
      sum += 1;
#pragma omp task shared(sum) mergeable
      sum += 1;
    }
    wrong += sum != 3;
  }
  return verdict(wrong == 0);
}
