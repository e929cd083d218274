// A thread that has nothing to do with OpenMP may ask, too; once it has called OpenMP it has an initial task.
#include <pthread.h>

#include "asker.h"

static void ask_in_vain(void) {
  ompt_wait_id_t wait = 7;
  expect(!ASK(ompt_get_thread_data)(), 1);
  expect_is(ASK(ompt_get_state)(&wait), ompt_state_undefined);
  expect_is(wait, 0);
  expect_is(ASK(ompt_get_state)(NULL), ompt_state_undefined);
  expect_is(ASK(ompt_get_parallel_info)(0, NULL, NULL), 0);
  expect_is(ASK(ompt_get_task_info)(0, NULL, NULL, NULL, NULL, NULL), 0);
  void *start = &wait;
  size_t size = 5;
  expect_is(ASK(ompt_get_task_memory)(&start, &size, 0), 0);
  expect_is(size, 0);
  expect_is(ASK(ompt_get_place_num)(), -1);
  expect_is(ASK(ompt_get_partition_place_nums)(0, NULL), 0);
  expect_is(ASK(ompt_get_proc_id)(), -1);
  expect(ASK(ompt_get_num_procs)() >= 1, 0);
  uint64_t device, target, operation;
  expect_is(ASK(ompt_get_target_info)(&device, &target, &operation), 0);
  expect_is(ASK(ompt_get_num_devices)(), 0);
  uint64_t first = ASK(ompt_get_unique_id)();
  expect(first && ASK(ompt_get_unique_id)() != first, first);
}

static void ask_as_root(void) {
  int flags = 0, number = -1, size = -1;
  ompt_data_t *task = NULL, *parallel = NULL, *region = NULL;
  ompt_frame_t *frame = NULL;
  expect(ASK(ompt_get_thread_data)() != NULL, 0);
  expect_is(ASK(ompt_get_state)(NULL), ompt_state_work_serial);
  expect_is(ASK(ompt_get_task_info)(0, &flags, &task, &frame, &parallel, &number), 2);
  expect_is(flags, ompt_task_initial);
  expect(task && frame && parallel, 0);
  expect(!frame->exit_frame.ptr && !frame->enter_frame.ptr, frame->enter_frame.ptr);
  expect_is(number, 0);
  expect_is(ASK(ompt_get_parallel_info)(0, &region, &size), 2);
  expect(region == parallel, region);
  expect_is(size, 1);
  // Nothing more than asked for need be taken.
  expect_is(ASK(ompt_get_task_info)(0, NULL, NULL, NULL, NULL, NULL), 2);
  expect_is(ASK(ompt_get_parallel_info)(0, NULL, NULL), 2);
  for (int level = 1; level < 4; level++) {
    expect_is(ASK(ompt_get_task_info)(level, &flags, &task, &frame, &parallel, &number), 0);
    expect_is(ASK(ompt_get_parallel_info)(level, NULL, NULL), 0);
  }
  expect_is(ASK(ompt_get_task_info)(-1, NULL, NULL, NULL, NULL, NULL), 0);
  expect_is(ASK(ompt_get_parallel_info)(-1, NULL, NULL), 0);
}

// A function of its own: clang's code calls the runtime when it enters a function with a region.
__attribute__((noinline)) static void region(void) {
#pragma omp parallel num_threads(2)
  expect_is(ASK(ompt_get_task_info)(1, NULL, NULL, NULL, NULL, NULL), 2);
}

static void *foreign(void *unused) {
  ask_in_vain();
  omp_get_max_threads();
  ask_as_root();
  region();
  ask_as_root();
  return NULL;
}

int main(void) {
  omp_get_max_threads();
  ask_as_root();
  pthread_t thread;
  pthread_create(&thread, NULL, foreign, NULL);
  pthread_join(thread, NULL);
  return asker_verdict();
}
