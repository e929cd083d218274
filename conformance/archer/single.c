/* The barrier at the end of single (OpenMP 5.1 §2.10.2). Twin: nowait. */
#include "archer.h"

int main(void) {
  int value = 0, wrong = 0, place = 0;
#pragma omp parallel
  {
#ifndef RACY
#pragma omp single
#else
#pragma omp single nowait
#endif
    value = 42;
    meet(&place);
    if (value != 42) {
#pragma omp atomic
      wrong++;
    }
  }
  return verdict(wrong == 0);
}
