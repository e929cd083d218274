// A lock that the second thread waits for (3.9).
//@ threads: 2
#include "events.h"

static flag_t taken;
static omp_lock_t lock;

static void region(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 1)
      wait_for(&taken);
    omp_set_lock(&lock);
    set(&taken);
    omp_unset_lock(&lock);
  }
}

int main(void) {
  omp_init_lock(&lock);
  region();
  omp_destroy_lock(&lock);
  return 0;
}
