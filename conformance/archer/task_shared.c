/* A task made by one thread and run by another sees what was written before it was created, and the barrier at the end of single sees what
 * it wrote (OpenMP 5.1 §2.12.1, §2.19.5). Twin: the creating thread writes the same variable after it has created the
 * task. */
#include "archer.h"

int main(void) {
  int input = 0, output = 0, started = 0, wrong = 0;
#pragma omp parallel
  {
#pragma omp single
    {
      input = 42;
#pragma omp task shared(input, output)
      {
        raise_flag(&started);
        output = input;
      }
      /* Only another thread can begin it. */
      await_flag(&started);
#ifdef RACY
      output = 43;
#endif
    }
    if (output != 42) {
#pragma omp atomic
      wrong++;
    }
  }
  return verdict(wrong == 0);
}
