// Looks at its own stack wherever tasks and the runtime can lie on each other in another way. Each function that looks is not
// inlined, so that its frame is there.
#include <omp.h>
#include <sched.h>

#include "frames.h"

#ifndef __clang__
// Regions that the program runs itself, as gcc compiled them up to 4.8.
void GOMP_parallel_start(void (*)(void *), void *, unsigned);
void GOMP_parallel_end(void);
#endif

static volatile int after;

__attribute__((noinline)) static void look(const char *name) {
  frames_look(name);
  after++;
}

#ifndef __clang__
static void run_by_program(void *unused) {
  if (omp_get_thread_num() == 0)
    look("run_by_program");
  else
    look("run_by_program_worker");
}
#endif

static void only_on(int thread, const char *name) {
  if (omp_get_thread_num() == thread)
    look(name);
  after++;
}

// How far the other thread may go.
static int stage;

static void await(int wanted) {
  while (__atomic_load_n(&stage, __ATOMIC_ACQUIRE) < wanted)
    sched_yield();
}

static void reach(int now) { __atomic_store_n(&stage, now, __ATOMIC_RELEASE); }

// The same one for both threads.
__attribute__((noinline)) static void the_barrier(void) {
#pragma omp barrier
  after++;
}

// Where one thread has to do everything, what lies on what is known. A team of one would not defer tasks, so that there is another
// thread, which stays outside of the runtime until the first one has executed them.
static void one_does_all(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() != 0) {
    await(1);
    the_barrier();
    await(2);
  } else {
#pragma omp task
    look("task_in_taskwait");
#pragma omp taskwait
#pragma omp task
    {
#pragma omp task
      look("task_in_task");
#pragma omp taskwait
      after++;
    }
#pragma omp taskwait
#pragma omp task
    {
      look("task_in_barrier");
      reach(1);
    }
    the_barrier();
#pragma omp taskgroup
    {
#pragma omp task
      look("task_in_taskgroup");
    }
#pragma omp taskloop grainsize(1)
    for (int i = 0; i < 1; i++)
      look("taskloop");
#pragma omp task if (0)
    {
      look("undeferred");
#pragma omp task if (0)
      look("undeferred_in_undeferred");
      after++;
    }
#pragma omp task final(1) mergeable
    {
#pragma omp task mergeable
      look("merged");
      after++;
    }
#pragma omp taskwait
#pragma omp task
    {
#pragma omp parallel num_threads(1)
      look("region_in_task");
      after++;
    }
#pragma omp taskwait
#pragma omp task
    {
      look("task_at_the_end");
      reach(2);
    }
  }
}

int main(void) {
  omp_set_max_active_levels(4);
  look("before");
  omp_get_max_threads();
  look("outside");
#pragma omp parallel num_threads(2)
  {
    only_on(0, "region");
    only_on(1, "region_worker");
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
      {
        only_on(0, "nested");
        only_on(1, "nested_worker");
#pragma omp parallel if (0)
        {
          if (omp_get_ancestor_thread_num(2) == 0)
            look("serialised");
          after++;
        }
      }
      after++;
    }
    if (omp_get_thread_num() == 0)
      look("region_again");
  }
  one_does_all();
#pragma omp teams num_teams(2) thread_limit(2)
  {
    if (omp_get_team_num() == 0)
      look("team");
#pragma omp parallel num_threads(2)
    if (omp_get_team_num() == 0 && omp_get_thread_num() == 0)
      look("region_in_team");
    after++;
  }
#ifndef __clang__
  GOMP_parallel_start(run_by_program, 0, 2);
  look("run_by_program_outside");
  run_by_program(0);
  GOMP_parallel_end();
#endif
#pragma omp target
  look("target");
  look("outside_again");
  return 0;
}
