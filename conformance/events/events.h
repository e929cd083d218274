// What the programs of this folder need to run in one order only: flags that one thread sets and another waits for.
// None of it is a call into the runtime.
#ifndef EVENTS_H
#define EVENTS_H

#include <omp.h>
#include <sched.h>

// Routines that libgomp lacks, against which gcc links. ferromp has them.
#ifndef __clang__
#define omp_control_tool_start 1
#define omp_control_tool_pause 2
extern int omp_control_tool(int command, int modifier, void *argument) __attribute__((weak));
#pragma weak omp_init_lock_with_hint
#pragma weak omp_init_nest_lock_with_hint
#endif

// Code of the program that no compiler leaves out.
static inline void work(void) { __asm__ volatile("" ::: "memory"); }

typedef volatile int flag_t;

static inline void set(flag_t *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }

static inline void wait_for(flag_t *flag) {
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE))
    sched_yield();
}

// For a team of two: 1 on the first thread, which executes all tasks that it generates before it says that it is `through`. The
// other one stays outside of the runtime until then, and gets 0.
static flag_t through;
static inline int is_first(void) {
  if (omp_get_thread_num() == 0)
    return 1;
  wait_for(&through);
  return 0;
}

// One more thread is here: waits until `count` are.
static inline void meet(flag_t *arrived, int count) {
  __atomic_add_fetch(arrived, 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(arrived, __ATOMIC_ACQUIRE) < count)
    sched_yield();
}

// Keeps the code of a target region from its end until the host has set the flag, which it reaches by its address: a host device's
// threads are the processor's. So what follows the construct on the host comes before the region's end.
#pragma omp declare target
static inline void wait_at(unsigned long flag) {
  while (!__atomic_load_n((volatile int *)flag, __ATOMIC_ACQUIRE))
    sched_yield();
}
#pragma omp end declare target
#define GATE(flag) ((unsigned long)&(flag))

#endif
