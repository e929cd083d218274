/* An untied task that yields, and makes a child that it waits for (OpenMP 5.1 §2.12.1, §2.12.4). Twin: without the taskwait. */
#include "archer.h"

int main(void) {
  int sum = 0, place = 0;
#pragma omp parallel
  {
    meet(&place);
#pragma omp single
    for (int i = 0; i < 12; i++) {
#pragma omp task untied shared(sum)
      {
        int mine = 0, started = 0;
#pragma omp task shared(mine, started)
        {
          mine = 1;
          raise_flag(&started);
        }
        /* Another thread runs it. */
        await_flag(&started);
#pragma omp taskyield
#ifndef RACY
#pragma omp taskwait
#endif
        sum += mine;
#pragma omp taskwait
      }
#pragma omp taskwait
    }
  }
  return verdict(sum == 12);
}
