/* mutexinoutset (OpenMP 5.1 §2.19.11): the tasks run in any order, one at a time. Twin: the dependences are of type in. */
#include "archer.h"

#ifndef RACY
#define KIND mutexinoutset
#else
#define KIND in
#endif

enum { N = 24 };

int main(void) {
  int sum = 0, started = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : sum) shared(sum, started)
    {
      raise_flag(&started);
      sum = 100;
    }
    await_flag(&started);
    for (int i = 0; i < N; i++) {
#pragma omp task depend(KIND : sum) shared(sum, started)
      {
#ifdef RACY
        /* Two threads are in it. */
        if (take_number(&started) < 3)
          await_flags(&started, 3);
#endif
        sum++;
        sched_yield();
      }
    }
#pragma omp task depend(in : sum) shared(sum, wrong)
    wrong += sum != 100 + N;
  }
  return verdict(wrong == 0 && sum == 100 + N);
}
