/* taskloop with a reduction (OpenMP 5.1 §2.12.2, §2.21.5.4). Twin: the tasks add to a shared variable. */
//@ stock-fails: clang because the copies are combined before the end of the taskgroup, without an event
#include "archer.h"

enum { N = 128 };

int main(void) {
  long sum = 0, other = 0;
  int first = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop reduction(+ : sum) grainsize(8) shared(other, first)
    for (int i = 0; i < N; i++) {
      if (i % 8 == 0 && take_number(&first) < 2)
        await_flags(&first, 2);
      sum += i;
#ifdef RACY
      other += i;
#endif
    }
    wrong += sum != N * (N - 1) / 2;
  }
  (void)other;
  return verdict(wrong == 0);
}
