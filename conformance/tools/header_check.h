// What the tools of one header version each share: faults, and what they have seen, by name. Nothing of OMPT is declared here: each tool
// declares what its own version's header has. With REAL_HEADER a tool takes the omp-tools.h that the compiler finds instead.
#ifndef HEADER_CHECK_H
#define HEADER_CHECK_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SEEN = 128 };
static struct {
  _Atomic(const char *) name;
  atomic_ulong count;
} seen_names[SEEN];
static atomic_int faults;

// Counts something by its name, a string that stays.
static inline void seen(const char *name) {
  for (int at = 0; at < SEEN; at++) {
    const char *none = NULL;
    if (atomic_compare_exchange_strong(&seen_names[at].name, &none, name) || strcmp(none, name) == 0) {
      atomic_fetch_add(&seen_names[at].count, 1);
      return;
    }
  }
}

#define EXPECT(condition)                                                                                                      \
  do {                                                                                                                         \
    if (!(condition)) {                                                                                                        \
      atomic_fetch_add(&faults, 1);                                                                                            \
      fprintf(stderr, "%s: line %d: not so: %s\n", HEADER, __LINE__, #condition);                                              \
    }                                                                                                                          \
  } while (0)

// What was seen, a line each, and how many faults there were.
static inline void verdict(void) {
  for (int at = 0; at < SEEN && seen_names[at].name; at++)
    fprintf(stderr, "%s: seen %s %lu\n", HEADER, seen_names[at].name, seen_names[at].count);
  fprintf(stderr, "%s: faults %d\n", HEADER, faults);
}

#endif
