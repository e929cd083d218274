// A nestable lock: only the outermost acquisition and release are those of a mutex (3.9).
//@ threads: 1
#include "events.h"

int main(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  omp_set_nest_lock(&lock);
  omp_set_nest_lock(&lock); // nested
  omp_test_nest_lock(&lock);
  omp_unset_nest_lock(&lock);
  omp_unset_nest_lock(&lock); // and again
  omp_unset_nest_lock(&lock); // the outermost
  omp_test_nest_lock(&lock); // when it is free
  omp_unset_nest_lock(&lock); // the last
  omp_destroy_nest_lock(&lock);
  return 0;
}
