/* task_reduction and in_reduction (OpenMP 5.1 §2.21.5.5): each thread's tasks add to a copy, and the taskgroup's end puts them together.
 * Twin: one task adds to a shared variable instead. */
//@ stock-fails: clang because the copies are combined before the end of the taskgroup, without an event
#include "archer.h"

enum { N = 32 };

int main(void) {
  long sum = 0, other = 0;
  int first = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int round = 0; round < 3; round++) {
      sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
      {
        for (int i = 0; i < N; i++) {
#pragma omp task in_reduction(+ : sum) shared(other, first) firstprivate(i)
          {
            if (take_number(&first) < 2)
              await_flags(&first, 2);
            sum += i;
#ifdef RACY
            other += i;
#endif
          }
        }
      }
      wrong += sum != N * (N - 1) / 2;
    }
  }
  (void)other;
  return verdict(wrong == 0);
}
