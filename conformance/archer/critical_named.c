/* Critical constructs of one name in two places (OpenMP 5.1 §2.19.1). Twin: the places have different names, and two threads are inside at
 * once. */
#include "archer.h"

int main(void) {
  int counter = 0, place = 0, threads = 0;
#ifdef RACY
  int inside = 0, done = 0;
#endif
#pragma omp parallel
  {
    meet(&place);
    if (omp_get_thread_num() == 0) {
#pragma omp critical(left)
      {
        counter++;
#ifdef RACY
        raise_flag(&inside);
        await_flag(&done);
#endif
      }
    } else {
#ifndef RACY
#pragma omp critical(left)
      counter++;
#else
      await_flag(&inside);
#pragma omp critical(right)
      counter++;
      raise_flag(&done);
#endif
    }
#pragma omp single
    threads = omp_get_num_threads();
  }
  return verdict(counter == threads);
}
