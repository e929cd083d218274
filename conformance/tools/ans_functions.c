// Callbacks are told the function of the construct whose begin they are told, under the entry points of both kinds of compilers,
// and null at all other times. The program calls the entry points itself, so that it knows the functions.
#include "asker.h"

typedef const void *(*ferromp_get_construct_function_t)(void);
typedef void gomp_t(void (*)(void *), void *, unsigned, unsigned);
typedef void gomp_start_t(void (*)(void *), void *, unsigned);
typedef void gomp_end_t(void);
typedef void gomp_teams_t(void (*)(void *), void *, unsigned, unsigned, unsigned);
typedef void gomp_task_t(void (*)(void *), void *, void (*)(void *, void *), long, long, _Bool, unsigned, void **, int, void *);
typedef void kmpc_t(void *, int, void (*)(int *, int *, ...), ...);
#define CALL(name, type) ((type *)dlsym(RTLD_DEFAULT, name))

static struct {
  int reserved, flags, reserved_2, length;
  const char *source;
} place = {0, 2, 0, 0, ";unknown;unknown;0;0;;"};
static ferromp_get_construct_function_t function;
static const void *_Atomic wanted;
static atomic_int regions, implicit, tasks, others;

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned requested, int flags,
                              const void *codeptr) {
  atomic_fetch_add(&regions, 1);
  expect(function() == wanted, function());
  // A construct in a callback has no events, and changes nothing.
#pragma omp parallel
  expect(1, 0);
  expect(function() == wanted, function());
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *codeptr) {
  expect_is(function(), 0);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned count,
                             unsigned index, int flags) {
  atomic_fetch_add(&implicit, 1);
  expect(function() == (endpoint == ompt_scope_begin ? wanted : NULL), function());
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *created, int flags, int dependences,
                           const void *codeptr) {
  if (flags & ompt_task_explicit) {
    atomic_fetch_add(&tasks, 1);
    expect(function() == wanted, function());
  }
}

static void on_sync(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                    const void *codeptr) {
  atomic_fetch_add(&others, 1);
  expect_is(function(), 0);
}

static void region(void *data) { expect_is(function(), 0); }
static void other_region(void *data) { expect_is(function(), 0); }
static void task(void *data) {}
static void microtask(int *gtid, int *tid, ...) { expect_is(function(), 0); }

int main(void) {
  omp_get_max_threads();
  function = ASK(ferromp_get_construct_function);
  expect_is(function(), 0);
  ompt_set_callback_t set = ASK(ompt_set_callback);
  set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
  set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
  set(ompt_callback_sync_region, (ompt_callback_t)on_sync);
  for (int turn = 0; turn < 3; turn++) {
    wanted = region;
    CALL("GOMP_parallel", gomp_t)(region, NULL, 3, 0);
    wanted = other_region;
    CALL("GOMP_parallel_start", gomp_start_t)(other_region, NULL, 2);
    other_region(NULL);
    CALL("GOMP_parallel_end", gomp_end_t)();
    wanted = microtask;
    CALL("__kmpc_fork_call", kmpc_t)(&place, 0, microtask);
    wanted = region;
    CALL("GOMP_teams_reg", gomp_teams_t)(region, NULL, 2, 1, 0);
    wanted = task;
    CALL("GOMP_task", gomp_task_t)(task, NULL, NULL, 0, 1, 1, 0, NULL, 0, NULL);
  }
  expect(regions >= 12, regions);
  expect(implicit >= 24, implicit);
  expect_is(tasks, 3);
  expect(others > 0, others);
  expect_is(function(), 0);
  return asker_verdict();
}
