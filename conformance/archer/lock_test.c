/* omp_test_lock (OpenMP 5.1 §3.9.6) until it succeeds. Twin: one thread holds the lock, and the others go on although they fail. */
#include "archer.h"

int main(void) {
  omp_lock_t lock;
  int counter = 0, place = 0, done = 0, threads = 0;
  omp_init_lock(&lock);
#pragma omp parallel
  {
#pragma omp single
    threads = omp_get_num_threads();
#ifndef RACY
    meet(&place);
    while (!omp_test_lock(&lock))
      sched_yield();
    counter++;
    omp_unset_lock(&lock);
    raise_flag(&done);
#else
    int held = omp_get_thread_num() == 0 && omp_test_lock(&lock);
    meet(&place);
    if (!held)
      held = omp_test_lock(&lock);
    counter++;
    raise_flag(&done);
    if (held) {
      await_flags(&done, omp_get_num_threads());
      omp_unset_lock(&lock);
    }
#endif
  }
  omp_destroy_lock(&lock);
  return verdict(counter == threads);
}
