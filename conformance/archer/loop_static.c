/* The barrier at the end of a static loop (OpenMP 5.1 §2.11.4). Twin: nowait. */
#include "archer.h"

enum { N = 256 };

int main(void) {
  static int a[N], b[N];
  int wrong = 0;
#pragma omp parallel
  {
#ifndef RACY
#pragma omp for schedule(static)
#else
#pragma omp for schedule(static) nowait
#endif
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma omp for schedule(static)
    for (int i = 0; i < N; i++)
      b[i] = a[N - 1 - i];
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != N - 1 - i;
  return verdict(wrong == 0);
}
