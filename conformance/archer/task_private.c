/* firstprivate copies of a task (OpenMP 5.1 §2.21.4.4) are its own: the creating thread goes on with its variables. Twin: one of them is
 * shared. */
#include "archer.h"

enum { N = 32 };

int main(void) {
  int seen[N] = {0}, started = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
    int step = 0;
    for (step = 0; step < N; step++) {
      int place = step;
#ifndef RACY
#pragma omp task shared(seen, started) firstprivate(step, place)
#else
#pragma omp task shared(seen, started, step) firstprivate(place)
#endif
      {
        seen[place] = step;
        raise_flag(&started);
      }
    }
    await_flag(&started);
#pragma omp taskwait
    for (int i = 0; i < N; i++)
      wrong += seen[i] != i;
  }
  return verdict(wrong == 0);
}
