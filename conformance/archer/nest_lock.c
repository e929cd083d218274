/* Nestable locks (OpenMP 5.1 §3.9.3): held twice, released twice. Twin: the second part is done after the last release. */
#include "archer.h"

int main(void) {
  omp_nest_lock_t lock;
  int counter = 0, place = 0, threads = 0;
  omp_init_nest_lock(&lock);
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    meet(&place);
    for (int i = 0; i < 10; i++) {
      omp_set_nest_lock(&lock);
#ifndef RACY
      while (!omp_test_nest_lock(&lock))
        sched_yield();
      counter++;
      omp_unset_nest_lock(&lock);
      counter++;
      omp_unset_nest_lock(&lock);
#else
      omp_unset_nest_lock(&lock);
      counter += 2;
#endif
    }
  }
  omp_destroy_nest_lock(&lock);
  return verdict(counter == 20 * threads);
}
