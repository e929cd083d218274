/* taskwait (OpenMP 5.1 §2.19.5): what the children wrote is read after it. Twin: without taskwait. */
#include "archer.h"

enum { N = 16 };

int main(void) {
  int written[N] = {0}, started = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < N; i++) {
#pragma omp task shared(written, started) firstprivate(i)
      {
        written[i] = i;
        raise_flag(&started);
      }
    }
    await_flag(&started);
#ifndef RACY
#pragma omp taskwait
#else
    await_flags(&started, N);
#endif
    for (int i = 0; i < N; i++)
      wrong += written[i] != i;
  }
  return verdict(wrong == 0);
}
