/* What the programs of this folder share: meetings of threads that the thread sanitizer knows nothing of. */
#ifndef ARCHER_H
#define ARCHER_H

#include <omp.h>
#include <sched.h>
#include <stdio.h>

/* Code that the sanitizer does not see. Relaxed operations would order nothing in its eyes either, but waiting would fill its memory of
 * what each thread did, without which it does not report. */
#ifdef __clang__
#define UNSEEN __attribute__((disable_sanitizer_instrumentation, noinline, unused))
#else
#define UNSEEN __attribute__((no_sanitize("thread"), noinline, unused))
#endif

/* Lets those waiting for `flag` go on. */
UNSEEN static void raise_flag(int *flag) { __atomic_fetch_add(flag, 1, __ATOMIC_RELAXED); }

/* Waits until `flag` has been raised `times` times. */
UNSEEN static void await_flags(int *flag, int times) {
  while (__atomic_load_n(flag, __ATOMIC_RELAXED) < times)
    sched_yield();
}

/* Waits until `flag` has been raised. */
UNSEEN static void await_flag(int *flag) { await_flags(flag, 1); }

/* Holds each thread of the team until all are here. `place` begins as zero and serves once. */
UNSEEN static void meet(int *place) {
  raise_flag(place);
  await_flags(place, omp_get_num_threads());
}

/* Takes the next number, from zero. */
UNSEEN static int take_number(int *next) { return __atomic_fetch_add(next, 1, __ATOMIC_RELAXED); }

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
