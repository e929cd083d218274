/* firstprivate copies of a task (OpenMP 5.1 §2.21.4.4) are its own, and the creating thread's variables stay as they are. Twin: one of them is
 * shared. */
#include "archer.h"

enum { N = 6 };

int main(void) {
  int seen[N] = {0}, started = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
    int step = 0;
    for (int i = 0; i < N; i++) {
      step = i + 1;
#ifndef RACY
#pragma omp task shared(seen, started) firstprivate(step, i)
#else
#pragma omp task shared(seen, started, step) firstprivate(i)
#endif
      {
        seen[i] = step;
        step = -1;
        raise_flag(&started);
      }
      if (i == 0) {
        /* Another thread runs it. */
        await_flag(&started);
      }
    }
#pragma omp taskwait
    for (int i = 0; i < N; i++)
      wrong += seen[i] != i + 1;
  }
  return verdict(wrong == 0);
}
