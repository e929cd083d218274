/* Two static loops of the same size and chunk give each thread the same iterations (OpenMP 5.1 §2.11.4), so that nowait between them is
 * right. Twin: the chunks differ. */
#include "archer.h"

enum { N = 256 };

int main(void) {
  static int a[N], b[N];
  int wrong = 0;
#pragma omp parallel
  {
#pragma omp for schedule(static, 4) nowait
    for (int i = 0; i < N; i++)
      a[i] = i;
#ifndef RACY
#pragma omp for schedule(static, 4)
#else
#pragma omp for schedule(static, 1)
#endif
    for (int i = 0; i < N; i++)
      b[i] = a[i];
  }
  for (int i = 0; i < N; i++)
    wrong += b[i] != i;
  return verdict(wrong == 0);
}
