/* A taskwait with dependences and nowait is an empty task between those before and those after it (OpenMP 5.1 §2.19.5). Twin: the reader
 * waits for another variable. */
//@ cannot: gcc because gcc 12 lacks nowait on taskwait
//@ checker: no because Archer lets such a taskwait take what came before it, and hands nothing of it to what depends on it
#include "archer.h"

int main(void) {
  int value = 0, after = 0, other = 0, started = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : value) shared(value, started)
    {
      raise_flag(&started);
      value = 42;
      raise_flag(&started);
    }
    await_flag(&started);
#pragma omp taskwait depend(in : value) depend(out : after) nowait
#ifndef RACY
#pragma omp task depend(in : after) shared(value, wrong)
#else
#pragma omp task depend(in : other) shared(value, wrong, started) if (0)
#endif
    {
      await_flags(&started, 2);
      wrong += value != 42;
    }
  }
  (void)after, (void)other;
  return verdict(wrong == 0);
}
