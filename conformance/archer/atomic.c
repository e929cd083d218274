/* Atomic updates of an integer and of a structure's double (OpenMP 5.1 §2.19.7). Twin: a plain update. */
#include "archer.h"

int main(void) {
  int counter = 0, place = 0, threads = 0;
  double sum = 0;
#pragma omp parallel
  {
    meet(&place);
    for (int i = 0; i < 20; i++) {
#pragma omp atomic
      counter++;
#ifndef RACY
#pragma omp atomic
#endif
      sum += 1;
    }
#pragma omp single
    threads = omp_get_num_threads();
  }
  return verdict(counter == 20 * threads && sum == 20.0 * threads);
}
