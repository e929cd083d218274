// A lock: set, tried in vain, released, tried with success (3.9).
//@ threads: 1
#include "events.h"

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_set_lock(&lock);
  omp_test_lock(&lock); // in vain
  omp_unset_lock(&lock);
  omp_test_lock(&lock); // with success
  omp_unset_lock(&lock); // again
  omp_destroy_lock(&lock);
  return 0;
}
