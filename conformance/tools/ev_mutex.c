// Each kind of mutual exclusion once, on one thread, between marks.
#include <omp.h>

#include "journal.h"

#ifndef __clang__
// gcc 12's libgomp has no locks with hints to link with.
#define omp_init_lock_with_hint(lock, hint) omp_init_lock(lock)
#define omp_init_nest_lock_with_hint(lock, hint) omp_init_nest_lock(lock)
#endif

static volatile int sink;
static long double wide;

int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  // The first call brings the runtime up, and the tool.
  omp_get_level();
  journal_mark("start", 0);
  omp_init_lock_with_hint(&lock, omp_sync_hint_contended);
  journal_mark("set", (uint64_t)(uintptr_t)&lock);
  omp_set_lock(&lock);
  omp_unset_lock(&lock);
  journal_mark("test", 0);
  if (!omp_test_lock(&lock))
    return 3;
  journal_mark("test_in_vain", 0);
#pragma omp parallel num_threads(1)
  if (omp_test_lock(&lock))
    sink = 1;
  journal_mark("unset", 0);
  omp_unset_lock(&lock);
  omp_destroy_lock(&lock);
  journal_mark("nest", 0);
  omp_init_nest_lock_with_hint(&nest, omp_sync_hint_speculative);
  omp_set_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  journal_mark("test_nest", 0);
  if (omp_test_nest_lock(&nest) != 1 || omp_test_nest_lock(&nest) != 2)
    return 4;
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  omp_destroy_nest_lock(&nest);
  journal_mark("critical", 0);
#pragma omp critical(name) hint(omp_sync_hint_uncontended)
  sink = 2;
  journal_mark("ordered", 0);
#pragma omp parallel for ordered num_threads(1)
  for (int i = 0; i < 2; i++) {
#pragma omp ordered
    sink = i;
  }
  journal_mark("atomic", 0);
  // Too wide for an instruction: gcc calls the runtime, clang libatomic.
#ifndef __clang__
#pragma omp atomic
#endif
  wide += 1;
  journal_mark("end", 0);
  return sink < 0;
}
