// Locks that are initialised with a hint (3.9.2).
//@ threads: 1
#include "events.h"

int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock_with_hint(&lock, omp_sync_hint_speculative);
  omp_init_nest_lock_with_hint(&nest, omp_sync_hint_contended);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  return 0;
}
