/* taskwait with a depend clause waits for the tasks that it names (OpenMP 5.1 §2.19.5). Twin: it names another variable. */
#include "archer.h"

int main(void) {
  int value = 0, other = 0, started = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : value) shared(value, started)
    {
      raise_flag(&started);
      value = 42;
      raise_flag(&started);
    }
#pragma omp task depend(out : other) shared(other) if (0)
    other = 1;
    await_flag(&started);
#ifndef RACY
#pragma omp taskwait depend(in : value)
#else
#pragma omp taskwait depend(in : other)
    await_flags(&started, 2);
#endif
    wrong += value != 42;
  }
  return verdict(wrong == 0);
}
