/* depend(out) before depend(in) (OpenMP 5.1 §2.19.11): the readers see what the writer wrote, and run on any thread. Twin: the readers have
 * no dependence. */
#include "archer.h"

int main(void) {
  int value = 0, wrong = 0, started = 0, done = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task depend(out : value) shared(value, started, done)
    {
      raise_flag(&started);
      value = 42;
      raise_flag(&done);
    }
    /* Another thread runs the writer; this one runs a reader at least. */
    await_flag(&started);
#ifndef RACY
#pragma omp task depend(in : value) shared(value, wrong) if (0)
#else
#pragma omp task shared(value, wrong) if (0)
#endif
    {
      await_flag(&done);
      if (value != 42) {
#pragma omp atomic
        wrong++;
      }
    }
    for (int i = 0; i < 6; i++) {
#pragma omp task depend(in : value) shared(value, wrong)
      if (value != 42) {
#pragma omp atomic
        wrong++;
      }
    }
  }
  return verdict(wrong == 0);
}
