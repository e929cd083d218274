/* Simple locks (OpenMP 5.1 §3.9.3): each thread adds to a counter while it holds the lock. Twin: without the lock. */
#include "archer.h"

int main(void) {
  omp_lock_t lock;
  int counter = 0, place = 0, threads = 0;
  omp_init_lock(&lock);
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
    meet(&place);
    for (int i = 0; i < 20; i++) {
#ifndef RACY
      omp_set_lock(&lock);
#endif
      counter++;
#ifndef RACY
      omp_unset_lock(&lock);
#endif
    }
  }
  omp_destroy_lock(&lock);
  return verdict(counter == 20 * threads);
}
