/* taskloop waits for its tasks by its implicit taskgroup (OpenMP 5.1 §2.12.2). Twin: nogroup. */
#include "archer.h"

enum { N = 64 };

int main(void) {
  int written[N] = {0}, done = 0, first = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
#ifndef RACY
#pragma omp taskloop grainsize(4) shared(written, done, first)
#else
#pragma omp taskloop grainsize(4) shared(written, done, first) nogroup
#endif
    for (int i = 0; i < N; i++) {
#ifndef RACY
      /* Two threads have some of it. */
      if (i % 4 == 0 && take_number(&first) < 2)
        await_flags(&first, 2);
#endif
      written[i] = i;
      raise_flag(&done);
    }
    await_flags(&done, N);
    for (int i = 0; i < N; i++)
      wrong += written[i] != i;
  }
  return verdict(wrong == 0);
}
