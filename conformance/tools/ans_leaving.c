// A worker that is told of the end of its implicit task after the region is over still knows the region, and no more what was around
// it. Idle, it is in no region.
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "asker.h"

static ompt_get_parallel_info_t parallel_info;
static ompt_get_task_info_t task_info;
static atomic_int region_over, asked, idle_answer;
static ompt_data_t *real;

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned int requested,
                              int flags, const void *code) {
  parallel->value = 4711;
  real = parallel;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned int size,
                             unsigned int index, int flags) {
  if ((flags & ompt_task_initial) || index == 0)
    return;
  if (endpoint == ompt_scope_begin) {
    task->value = 12;
    return;
  }
  while (!atomic_load(&region_over))
    usleep(100);
  ompt_data_t *data = NULL, *same = NULL, *own = NULL;
  int count = 0, number = 0, kind = 0;
  ompt_frame_t *frames = NULL;
  expect_is(parallel_info(0, &data, &count), 2);
  expect(data && data->value == 4711, data ? data->value : 0);
  // The region's own word belongs to the next region by now.
  expect(data != real, data);
  expect_is(count, 2);
  expect_is(task_info(0, &kind, &own, &frames, &same, &number), 2);
  expect(own == task && own->value == 12, own);
  expect(same == data, same);
  expect_is(kind & 0xf, ompt_task_implicit);
  expect_is(number, 1);
  expect(frames && !frames->exit_frame.ptr, 0);
  for (int level = 1; level < 3; level++) {
    expect_is(parallel_info(level, NULL, NULL), 1);
    expect_is(task_info(level, NULL, NULL, NULL, NULL, NULL), 1);
  }
  atomic_store(&asked, 1);
}

static void on_signal(int signal) {
  atomic_store(&idle_answer, 10 * parallel_info(0, NULL, NULL) + task_info(0, NULL, NULL, NULL, NULL, NULL));
}

int main(void) {
  omp_get_max_threads();
  parallel_info = ASK(ompt_get_parallel_info);
  task_info = ASK(ompt_get_task_info);
  ompt_set_callback_t set_callback = ASK(ompt_set_callback);
  expect_is(set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin), ompt_set_always);
  expect_is(set_callback(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task), ompt_set_always);
  pthread_t worker;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1)
    worker = pthread_self();
  atomic_store(&region_over, 1);
  while (!atomic_load(&asked))
    usleep(100);
  struct sigaction action = {.sa_handler = on_signal};
  sigaction(SIGUSR1, &action, NULL);
  int answer = -1;
  for (int round = 0; round < 200 && answer != 0; round++) {
    usleep(1000);
    atomic_store(&idle_answer, -1);
    pthread_kill(worker, SIGUSR1);
    while ((answer = atomic_load(&idle_answer)) == -1)
      usleep(100);
  }
  expect_is(answer, 0);
  return asker_verdict();
}
