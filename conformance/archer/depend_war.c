/* in before inout (OpenMP 5.1 §2.19.11): a writer waits for all readers before it. Twin: one reader has no dependence. */
#include "archer.h"

enum { N = 8 };

int main(void) {
  int value = 5, seen[N] = {0}, started = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < N; i++) {
#pragma omp task depend(in : value) shared(value, seen, started) firstprivate(i)
      {
        seen[i] = value;
        raise_flag(&started);
      }
    }
    await_flag(&started);
#ifdef RACY
#pragma omp taskwait
    int apart = 0;
#pragma omp task shared(value, wrong, apart)
    {
      wrong += value != 5;
      raise_flag(&apart);
    }
    /* Another thread runs it, and this one the writer. */
    await_flag(&apart);
#pragma omp task depend(inout : value) shared(value) if (0)
#else
#pragma omp task depend(inout : value) shared(value)
#endif
    value = 6;
#pragma omp taskwait
    for (int i = 0; i < N; i++)
      wrong += seen[i] != 5;
    wrong += value != 6;
  }
  return verdict(wrong == 0);
}
