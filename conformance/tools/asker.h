// How a program asks the runtime what a tool may ask, when the tool `asker.c` is preloaded. `ASK(ompt_get_state)` is the entry point
// of that name, with its type; `expect` complains on stderr and makes the program's status 1.
#ifndef ASKER_H
#define ASKER_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static inline ompt_interface_fn_t asker_lookup(const char *name) {
  ompt_interface_fn_t (*call)(const char *) = (ompt_interface_fn_t(*)(const char *))dlsym(RTLD_DEFAULT, "asker_tool_lookup");
  ompt_interface_fn_t found = call ? call(name) : NULL;
  if (!found) {
    fprintf(stderr, "%s is not there\n", name);
    exit(2);
  }
  return found;
}

static inline int asker_finalised(void) {
  int (*call)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "asker_tool_finalised");
  return call ? call() : -1;
}

static inline int asker_first_place(void) {
  int (*call)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "asker_tool_first_place");
  return call ? call() : -2;
}

// In the initialiser: the size of the partition for -1, else the place with this index in it.
static inline int asker_first_partition(int index) {
  int (*call)(int) = (int (*)(int))dlsym(RTLD_DEFAULT, "asker_tool_first_partition");
  return call ? call(index) : -2;
}

#define ASK(name) ((name##_t)asker_lookup(#name))

static atomic_int asker_faults;

#define expect(condition, got)                                                                                                 \
  do {                                                                                                                         \
    if (!(condition)) {                                                                                                        \
      atomic_fetch_add(&asker_faults, 1);                                                                                      \
      fprintf(stderr, "%s:%d: %s: got 0x%lx\n", __FILE__, __LINE__, #condition, (unsigned long)(got));                         \
    }                                                                                                                          \
  } while (0)

#define expect_is(call, wanted)                                                                                                \
  do {                                                                                                                         \
    long got_ = (long)(call);                                                                                                  \
    expect(#call && got_ == (long)(wanted), got_);                                                                             \
  } while (0)

static inline int asker_verdict(void) { return atomic_load(&asker_faults) != 0; }

#endif
