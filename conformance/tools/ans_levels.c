// Every level around a task: kinds, thread numbers, sizes, in leagues, nested regions, tasks of all sorts and target regions.
#include "asker.h"

static ompt_get_task_info_t task_info;
static ompt_get_parallel_info_t parallel_info;

enum { KINDS = 0xf };

// The task at a level is of this kind, has this thread number and at least these flags; the region around it has this size.
static void level(int at, int kind, int flags, int number, int region, int wanted_size) {
  int got = 0, thread = -1, size = -1;
  ompt_data_t *task = NULL, *parallel = NULL, *same = NULL;
  ompt_frame_t *frame = NULL;
  expect_is(task_info(at, &got, &task, &frame, &parallel, &thread), 2);
  expect_is(got & KINDS, kind);
  expect((got & flags) == flags, got);
  expect(number < 0 || thread == number, thread);
  expect(task && frame && parallel, at);
  expect_is(parallel_info(region, &same, &size), 2);
  expect(same == parallel, same);
  expect(wanted_size < 0 || size == wanted_size, size);
}

static void end_of_levels(int tasks, int regions) {
  for (int more = 0; more < 3; more++) {
    expect_is(task_info(tasks + more, NULL, NULL, NULL, NULL, NULL), 0);
    expect_is(parallel_info(regions + more, NULL, NULL), 0);
  }
}

static void region_in_league(void) {
#pragma omp parallel num_threads(2)
  {
    level(0, ompt_task_implicit, 0, omp_get_thread_num(), 0, omp_get_num_threads());
    if (omp_get_thread_num() == 0) {
      level(1, ompt_task_initial, 0, 0, 1, 3);
      level(2, ompt_task_initial, 0, 0, 2, 1);
      end_of_levels(3, 3);
    }
  }
}

int main(void) {
  omp_set_max_active_levels(4);
  task_info = ASK(ompt_get_task_info);
  parallel_info = ASK(ompt_get_parallel_info);
  level(0, ompt_task_initial, 0, 0, 0, 1);
  end_of_levels(1, 1);
#pragma omp parallel num_threads(3)
  {
    int outer = omp_get_thread_num();
    level(0, ompt_task_implicit, 0, outer, 0, 3);
    level(1, ompt_task_initial, 0, 0, 1, 1);
    end_of_levels(2, 2);
#pragma omp barrier
    if (outer == 2) {
#pragma omp parallel num_threads(2)
      {
        level(0, ompt_task_implicit, 0, omp_get_thread_num(), 0, 2);
        // The encountering thread's number, on both threads.
        level(1, ompt_task_implicit, 0, 2, 1, 3);
        level(2, ompt_task_initial, 0, 0, 2, 1);
        end_of_levels(3, 3);
#pragma omp parallel if (0)
        level(0, ompt_task_implicit, 0, 0, 0, 1);
#pragma omp barrier
      }
    }
#pragma omp barrier
#pragma omp single
    {
#pragma omp task if (0)
      {
        level(0, ompt_task_explicit, ompt_task_undeferred, outer, 0, 3);
        level(1, ompt_task_implicit, 0, outer, 0, 3);
        end_of_levels(3, 2);
      }
#pragma omp task untied
      level(0, ompt_task_explicit, ompt_task_untied, omp_get_thread_num(), 0, 3);
#pragma omp task final(1) mergeable
      {
        level(0, ompt_task_explicit, ompt_task_final, omp_get_thread_num(), 0, 3);
#pragma omp task mergeable
        {
          level(0, ompt_task_explicit, ompt_task_final | ompt_task_undeferred, omp_get_thread_num(), 0, 3);
          level(1, ompt_task_explicit, ompt_task_final, omp_get_thread_num(), 0, 3);
        }
      }
#pragma omp taskwait
      // A region in a task: the task lies around it.
#pragma omp task
      {
        int executing = omp_get_thread_num();
#pragma omp parallel num_threads(1)
        {
          level(0, ompt_task_implicit, 0, 0, 0, 1);
          level(1, ompt_task_explicit, 0, executing, 1, 3);
          level(2, ompt_task_implicit, 0, executing, 1, 3);
        }
      }
    }
  }
#pragma omp teams num_teams(3)
  {
    level(0, ompt_task_initial, 0, 0, 0, 3);
    level(1, ompt_task_initial, 0, 0, 1, 1);
    end_of_levels(2, 2);
    region_in_league();
    level(0, ompt_task_initial, 0, 0, 0, 3);
  }
#ifndef __clang__
  // clang's code calls the region's code itself where there is no device.
#pragma omp target
  {
    level(0, ompt_task_initial, 0, 0, 0, 1);
    level(1, ompt_task_target, ompt_task_undeferred, 0, 1, 1);
    level(2, ompt_task_initial, 0, 0, 1, 1);
    end_of_levels(3, 2);
  }
#endif
  level(0, ompt_task_initial, 0, 0, 0, 1);
  end_of_levels(1, 1);
  return asker_verdict();
}
