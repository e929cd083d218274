/* taskgroup waits for the children's children too (OpenMP 5.1 §2.19.6). Twin: taskwait, which waits for the children alone. */
#include "archer.h"

int main(void) {
  int value = 0, done = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
#ifndef RACY
#pragma omp taskgroup
#endif
    {
#pragma omp task shared(value, done)
      {
#pragma omp task shared(value, done)
        {
          value = 42;
          raise_flag(&done);
        }
      }
      /* Another thread runs both. */
      await_flag(&done);
    }
#ifdef RACY
#pragma omp taskwait
#endif
    wrong += value != 42;
  }
  return verdict(wrong == 0);
}
