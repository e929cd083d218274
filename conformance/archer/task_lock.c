/* Tasks of several threads under one lock (OpenMP 5.1 §3.9), and under critical. Twin: one task uses critical while another one holds the
 * lock. */
#include "archer.h"

int main(void) {
  omp_lock_t lock;
  int locked = 0, guarded = 0, started = 0;
  omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 40; i++) {
#pragma omp task shared(locked, guarded, lock, started)
      {
        if (take_number(&started) < 2)
          await_flags(&started, 2);
        omp_set_lock(&lock);
        locked++;
        omp_unset_lock(&lock);
#pragma omp critical
        guarded++;
      }
    }
#ifdef RACY
    int inside = 0, done = 0;
#pragma omp taskwait
#pragma omp task shared(locked, lock, inside, done)
    {
      omp_set_lock(&lock);
      locked++;
      raise_flag(&inside);
      await_flag(&done);
      omp_unset_lock(&lock);
    }
    /* Another thread runs it. */
    await_flag(&inside);
#pragma omp critical
    locked++;
    raise_flag(&done);
#pragma omp taskwait
#endif
  }
  omp_destroy_lock(&lock);
  return verdict(locked == 40 && guarded == 40);
}
