/* What the programs of this folder share: meetings of threads that the thread sanitizer does not take for synchronisation. All of them are
 * relaxed atomic operations, which order nothing. */
#ifndef ARCHER_H
#define ARCHER_H

#include <omp.h>
#include <sched.h>
#include <stdio.h>

/* Lets those waiting for `flag` go on. */
static inline void raise_flag(int *flag) { __atomic_fetch_add(flag, 1, __ATOMIC_RELAXED); }

/* Waits until `flag` has been raised `times` times. */
static inline void await_flags(int *flag, int times) {
  while (__atomic_load_n(flag, __ATOMIC_RELAXED) < times)
    sched_yield();
}

/* Waits until `flag` has been raised. */
static inline void await_flag(int *flag) { await_flags(flag, 1); }

/* Holds each thread of the team until all are here. `place` begins as zero and serves once. */
static inline void meet(int *place) {
  raise_flag(place);
  await_flags(place, omp_get_num_threads());
}

/* Takes the next number, from zero. */
static inline int take_number(int *next) { return __atomic_fetch_add(next, 1, __ATOMIC_RELAXED); }

/* The verdict: with the synchronisation in place the result is known. */
static inline int verdict(int right) {
#ifdef RACY
  (void)right;
  puts("raced");
  return 0;
#else
  puts(right ? "ok" : "wrong result");
  return !right;
#endif
}

#endif
