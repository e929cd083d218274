/* Dependences order siblings alone (OpenMP 5.1 §2.19.11): two generating tasks, each with its own variable. Twin: both chains use one
 * variable. */
#include "archer.h"

int main(void) {
  int sum[2] = {0}, started = 0, inside = 0;
#pragma omp parallel
#pragma omp single
  for (int chain = 0; chain < 2; chain++) {
#pragma omp task shared(sum, started, inside) firstprivate(chain)
    {
#ifndef RACY
      int *mine = &sum[chain];
#else
      int *mine = &sum[0];
#endif
      raise_flag(&started);
      await_flags(&started, 2);
      for (int i = 0; i < 10; i++) {
#pragma omp task depend(inout : mine[0]) firstprivate(mine, i) shared(inside)
        {
          if (i == 0) {
            raise_flag(&inside);
            await_flags(&inside, 2);
          }
          mine[0] += i;
        }
      }
#pragma omp taskwait
    }
  }
  return verdict(sum[0] == 45 && sum[1] == 45);
}
