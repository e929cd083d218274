// What a program may ask of the tool `journal.c` when it is preloaded; without the tool each call does nothing.
#ifndef JOURNAL_H
#define JOURNAL_H

#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <stdint.h>

// Writes a line `mark name=<name> value=<value>`. `name` holds no blanks.
static inline void journal_mark(const char *name, uint64_t value) {
  void (*call)(const char *, uint64_t) = (void (*)(const char *, uint64_t))dlsym(RTLD_DEFAULT, "journal_tool_mark");
  if (call)
    call(name, value);
}

// Writes a line `task` for each level that ompt_get_task_info knows and a line `region` for each one of
// ompt_get_parallel_info, and the levels' ends with what was answered there. `name` labels the lines.
static inline void journal_ancestors(const char *name) {
  void (*call)(const char *) = (void (*)(const char *))dlsym(RTLD_DEFAULT, "journal_tool_ancestors");
  if (call)
    call(name);
}

// Writes a line `target_region name=<name>` with what ompt_get_target_info answers. On a device, which has no tool, nothing.
static inline void journal_target(const char *name) {
  void (*call)(const char *) = (void (*)(const char *))dlsym(RTLD_DEFAULT, "journal_tool_target");
  if (call)
    call(name);
}

// Ends the tool from outside of its callbacks.
static inline void journal_end(void) {
  void (*call)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "journal_tool_end");
  if (call)
    call();
}

// For a team of two: 1 on the thread with number 0, which executes all tasks that it generates before it sets `through`. The other one
// stays outside of the runtime until then, and gets 0.
static int through;
static inline int journal_is_first(int number) {
  if (number == 0)
    return 1;
  while (!__atomic_load_n(&through, __ATOMIC_ACQUIRE))
    sched_yield();
  return 0;
}
static inline void journal_is_through(void) { __atomic_store_n(&through, 1, __ATOMIC_RELEASE); }

// The function `int (uint64_t *wait_id)` that answers like ompt_get_state; null without the tool. For signal handlers,
// which must not look names up themselves.
typedef int (*journal_state_function)(uint64_t *);
static inline journal_state_function journal_state(void) {
  return (journal_state_function)dlsym(RTLD_DEFAULT, "journal_tool_state");
}

// The function that asks for the state and for every level of tasks and regions without writing anything, and answers
// whether all of it made sense; null without the tool. For signal handlers.
typedef int (*journal_probe_function)(void);
static inline journal_probe_function journal_probe(void) {
  return (journal_probe_function)dlsym(RTLD_DEFAULT, "journal_tool_probe");
}

#endif
