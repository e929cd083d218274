// Each construct is cancelled by one thread and found cancelled by the others (OMP_CANCELLATION=true).
#include <omp.h>
#include <sched.h>

#include "journal.h"

static void await(const int *word) {
  int seen;
  do {
#pragma omp atomic read
    seen = *word;
    if (!seen)
      sched_yield();
  } while (!seen);
}

static void set(int *word) {
#pragma omp atomic write
  *word = 1;
}

int main(void) {
  int done = omp_get_thread_num();
  journal_mark("loop", 0);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int index = 0; index < 1000; index++) {
#pragma omp cancellation point for // loop_point
      if (index == 0) {
#pragma omp cancel for // loop
      }
#pragma omp atomic
      done++;
    }
  }
  journal_mark("sections", 0);
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections // sections
      }
#pragma omp section
      {
#pragma omp cancellation point sections
      }
    }
  }
  journal_mark("parallel", 0);
  int cancelled = 0;
#pragma omp parallel num_threads(3)
  {
    if (omp_get_num_threads() < 3 || omp_get_thread_num() == 0) {
#pragma omp cancel parallel // parallel
      // Not reached: but for compilers that do not know it.
    }
    if (omp_get_thread_num() == 1)
      for (;;) {
#pragma omp cancellation point parallel // parallel_point
        sched_yield();
      }
#pragma omp barrier // parallel_barrier
  }
  journal_mark("region_tasks", 0);
  // The tasks wait for the region's end, and are discarded there.
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 1)
      for (;;) {
#pragma omp cancellation point parallel
        sched_yield();
      }
    for (int index = 0; index < 3; index++) {
#pragma omp task shared(cancelled)
      set(&cancelled);
    }
#pragma omp cancel parallel
  }
  if (cancelled)
    return 1;
  journal_mark("taskgroup", 0);
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task shared(cancelled)
      {
        set(&cancelled);
#pragma omp cancel taskgroup // taskgroup
      }
#pragma omp task shared(cancelled)
      {
        // With one thread this is inside the wait of nobody: it does not wait.
        if (omp_get_num_threads() > 1)
          await(&cancelled);
        for (int tries = 0; tries < 100000; tries++) {
#pragma omp cancellation point taskgroup // taskgroup_point
          if (omp_get_num_threads() == 1)
            break;
        }
      }
    }
  }
  journal_mark("over", 0);
  return 0;
}
