/* ordered regions of dynamic and static loops (OpenMP 5.1 §2.19.9) hand a value from iteration to iteration. Twin: the second loop does
 * it outside. */
#include "archer.h"

enum { N = 40 };

int main(void) {
  int order[N], next = 0, sum = 0, wrong = 0;
#pragma omp parallel
  {
#pragma omp for ordered schedule(dynamic, 1)
    for (int i = 0; i < N; i++) {
#pragma omp ordered
      order[next++] = i;
    }
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < N; i++) {
#ifndef RACY
#pragma omp ordered
#endif
      sum += i;
    }
  }
  for (int i = 0; i < N; i++)
    wrong += order[i] != i;
  return verdict(wrong == 0 && next == N && sum == N * (N - 1) / 2);
}
