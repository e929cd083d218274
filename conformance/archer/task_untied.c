/* Untied tasks that yield, and make children that they wait for (OpenMP 5.1 §2.12.1, §2.12.4). Twin: the tasks add to one variable without
 * atomic. */
#include "archer.h"

int main(void) {
  int sum = 0, all = 0, started = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 12; i++) {
#pragma omp task untied shared(sum, all, started)
      {
        int mine = 0;
        /* Two threads have some. */
        if (take_number(&started) < 2)
          await_flags(&started, 2);
#ifndef RACY
#pragma omp atomic
#endif
        all++;
#pragma omp task shared(mine)
        mine = 1;
#pragma omp taskyield
#pragma omp taskwait
#pragma omp atomic
        sum += mine;
      }
    }
  }
  return verdict(sum == 12 && all == 12);
}
