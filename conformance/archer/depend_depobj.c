/* Dependence objects, updated and destroyed (OpenMP 5.1 §2.19.10). Twin: the object names another variable. */
#include "archer.h"

int main(void) {
  int value = 0, other = 0, started = 0, wrong = 0;
  omp_depend_t object;
#ifndef RACY
#pragma omp depobj(object) depend(out : value)
#else
#pragma omp depobj(object) depend(out : other)
#endif
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(depobj : object) shared(value, started)
    {
      raise_flag(&started);
      value = 42;
      raise_flag(&started);
    }
    await_flag(&started);
#pragma omp task depend(in : value) shared(value, wrong, started) if (0)
    {
      await_flags(&started, 2);
      wrong += value != 42;
    }
  }
#pragma omp depobj(object) destroy
  (void)other;
  return verdict(wrong == 0);
}
