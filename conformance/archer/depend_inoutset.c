/* inoutset (OpenMP 5.1 §2.19.11): the tasks of a set run side by side, before the reader and after the writer. Twin: the reader comes
 * without a dependence. */
//@ cannot: gcc because gcc 12 lacks inoutset
#include "archer.h"

enum { N = 12 };

int main(void) {
  int written[N] = {0}, base = 0, started = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : written) shared(base, started)
    {
      raise_flag(&started);
      base = 100;
    }
    await_flag(&started);
    for (int i = 0; i < N; i++) {
#pragma omp task depend(inoutset : written) shared(written, base, started) firstprivate(i)
      {
        written[i] = base + i;
        raise_flag(&started);
      }
    }
#ifndef RACY
#pragma omp task depend(in : written) shared(written, wrong)
#else
    await_flags(&started, N + 1);
#endif
    for (int i = 0; i < N; i++)
      wrong += written[i] != 100 + i;
  }
  return verdict(wrong == 0);
}
