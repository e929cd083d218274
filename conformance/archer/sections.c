/* The barrier at the end of sections (OpenMP 5.1 §2.10.1), two of which are run by two threads. Twin: nowait. */
#include "archer.h"

int main(void) {
  int left = 0, right = 0, met = 0, place = 0, wrong = 0;
#pragma omp parallel
  {
#ifndef RACY
#pragma omp sections
#else
#pragma omp sections nowait
#endif
    {
#pragma omp section
      {
        raise_flag(&met);
        await_flags(&met, 2);
        left = 1;
      }
#pragma omp section
      {
        raise_flag(&met);
        await_flags(&met, 2);
        right = 2;
      }
    }
    meet(&place);
    if (left + right != 3) {
#pragma omp atomic
      wrong++;
    }
  }
  return verdict(wrong == 0);
}
