// Mutual exclusion of every kind among many threads: each region marks its begin, and every critical part marks where it is.
#include <omp.h>

#include "journal.h"

static volatile int sink;

int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  journal_mark("lock", (uint64_t)(uintptr_t)&lock);
#pragma omp parallel
  for (int i = 0; i < 5; i++) {
    omp_set_lock(&lock);
    journal_mark("inside", 0);
    omp_unset_lock(&lock);
  }
  journal_mark("test", 0);
#pragma omp parallel
  for (int i = 0; i < 5; i++)
    if (omp_test_lock(&lock)) {
      journal_mark("inside", 0);
      omp_unset_lock(&lock);
    } else {
      journal_mark("in_vain", 0);
    }
  journal_mark("nest", (uint64_t)(uintptr_t)&nest);
#pragma omp parallel
  {
    omp_set_nest_lock(&nest);
    journal_mark("inside", 0);
    omp_set_nest_lock(&nest);
    journal_mark("inside", 0);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
  }
  journal_mark("test_nest", 0);
#pragma omp parallel
  {
    int count = omp_test_nest_lock(&nest);
    journal_mark(count ? "inside" : "in_vain", count);
    if (count)
      omp_unset_nest_lock(&nest);
  }
  journal_mark("critical", 0);
#pragma omp parallel
#pragma omp critical(name)
  journal_mark("inside", 0);
  journal_mark("unnamed", 0);
#pragma omp parallel
#pragma omp critical
  journal_mark("inside", 0);
  journal_mark("ordered", 0);
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < 40; i++) {
    sink = i;
#pragma omp ordered
    journal_mark("inside", i);
  }
  journal_mark("over", 0);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  return 0;
}
