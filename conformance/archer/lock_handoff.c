/* A value is handed over by a lock alone: the producer writes, then says so under the lock; the consumer asks under the lock until it
 * is told (OpenMP 5.1 §1.4.4: a lock implies a flush). Twin: the consumer is told in a way that orders nothing. */
#include "archer.h"

int main(void) {
  omp_lock_t lock;
  int value = 0, told = 0, seen = 0, place = 0;
  omp_init_lock(&lock);
#pragma omp parallel
  {
    meet(&place);
    if (omp_get_thread_num() == 0) {
      value = 42;
#ifndef RACY
      omp_set_lock(&lock);
      told = 1;
      omp_unset_lock(&lock);
#else
      raise_flag(&told);
#endif
    } else if (omp_get_thread_num() == 1) {
#ifndef RACY
      int known = 0;
      while (!known) {
        omp_set_lock(&lock);
        known = told;
        omp_unset_lock(&lock);
        sched_yield();
      }
#else
      await_flag(&told);
#endif
      seen = value;
    }
  }
  omp_destroy_lock(&lock);
  return verdict(seen == 42);
}
