/* masked with a filter, and a barrier after it (OpenMP 5.1 §2.8). Twin: without the barrier. */
#include "archer.h"

int main(void) {
  int value = 0, wrong = 0, place = 0;
#pragma omp parallel
  {
#pragma omp masked filter(1)
    value = 42;
#ifndef RACY
#pragma omp barrier
#endif
    meet(&place);
    if (value != 42) {
#pragma omp atomic
      wrong++;
    }
  }
  return verdict(wrong == 0);
}
