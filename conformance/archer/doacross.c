/* Cross-iteration dependences (OpenMP 5.1 §2.19.9): each iteration reads what the one before wrote. Twin: without the dependences. */
//@ checker: no because Archer takes no notice of the dependences of iterations
#include "archer.h"

enum { N = 64 };

int main(void) {
  static int a[N];
  int wrong = 0;
#pragma omp parallel
  {
#ifndef RACY
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 1; i < N; i++) {
#pragma omp ordered depend(sink : i - 1)
      a[i] = a[i - 1] + 1;
#pragma omp ordered depend(source)
    }
#else
#pragma omp for schedule(static, 1)
    for (int i = 1; i < N; i++)
      a[i] = a[i - 1] + 1;
#endif
  }
  for (int i = 0; i < N; i++)
    wrong += a[i] != i;
  return verdict(wrong == 0);
}
