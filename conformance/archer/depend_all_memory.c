/* omp_all_memory (OpenMP 5.1 §2.19.11): a task that depends on everything before it. Twin: it depends on one of two variables. */
//@ env: ARCHER_OPTIONS=all_memory=1
//@ cannot: gcc because gcc 12 lacks omp_all_memory
#include "archer.h"

/* Another thread runs one task at least, or, in the twin, both. */
#ifndef RACY
enum { NEEDED = 1 };
#else
enum { NEEDED = 2 };
#endif

int main(void) {
  int left = 0, right = 0, started = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : left) shared(left, started)
    {
      left = 1;
      raise_flag(&started);
    }
#pragma omp task depend(out : right) shared(right, started)
    {
      right = 2;
      raise_flag(&started);
    }
    await_flags(&started, NEEDED);
#ifndef RACY
#pragma omp task depend(inout : omp_all_memory) shared(left, right, wrong)
#else
#pragma omp task depend(inout : left) shared(left, right, wrong) if (0)
#endif
    {
      wrong += left + right != 3;
    }
#pragma omp taskwait
  }
  return verdict(wrong == 0);
}
