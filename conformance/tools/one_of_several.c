// One of several tools: keeps a mark of its own, MARK, in every data word, and counts what is not as it left it, or not as the
// entry points answer. Its name is NAME. With ORDER defined it also says, on stderr, when the primary thread's regions begin and
// end. On the control command 7 it ends itself; on any other it answers ANSWER, which "ignored" is unless it is defined.
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef NAME
#define NAME one
#endif
#ifndef MARK
#define MARK 1
#endif
#ifndef ANSWER
#define ANSWER 1
#endif
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define SAY(format, ...) fprintf(stderr, TEXT(NAME) ": " format "\n", __VA_ARGS__)

static ompt_get_thread_data_t get_thread_data;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_callback_t get_callback;
static ompt_set_callback_t set_callback;
static ompt_finalize_tool_t finalize_tool;

static atomic_int wrong, threads, regions, implicit, tasks, ends, finished;
static atomic_uint_least64_t numbers;

static void count_wrong(const char *where, ompt_data_t *data) {
  if (atomic_fetch_add(&wrong, 1) < 5) SAY("wrong in %s: %llx", where, data ? (unsigned long long)data->value : 0ull);
}

static void expect(int so, const char *where, ompt_data_t *data) {
  if (!so) count_wrong(where, data);
}

static int ours(ompt_data_t *data) { return data && data->value >> 48 == MARK; }

static void mark(ompt_data_t *data) { data->value = (uint64_t)MARK << 48 | atomic_fetch_add(&numbers, 1); }

// What the entry points answer inside a task of this thread.
static void ask(const char *where, ompt_data_t *task) {
  ompt_data_t *found = NULL, *region = NULL, *of_task = NULL;
  ompt_frame_t *frame = NULL;
  int flags = 0, number = 0, size = 0;
  expect(ours(get_thread_data()), where, get_thread_data());
  expect(get_task_info(0, &flags, &found, &frame, &of_task, &number) == 2 && found == task, where, found);
  expect(get_parallel_info(0, &region, &size) == 2 && region == of_task && ours(region), where, region);
  expect(get_task_info(0, NULL, NULL, NULL, NULL, NULL) == 2, where, NULL);
}

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *thread) {
  atomic_fetch_add(&threads, 1);
  expect(thread->value == 0, "thread_begin", thread);
  expect(get_thread_data() == thread, "ompt_get_thread_data", get_thread_data());
  mark(thread);
}

static void on_thread_end(ompt_data_t *thread) {
  atomic_fetch_add(&ends, 1);
  expect(ours(thread), "thread_end", thread);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned int requested,
                              int flags, const void *code) {
  atomic_fetch_add(&regions, 1);
#ifdef ORDER
  SAY("%s", "parallel_begin");
#endif
  expect(ours(task), "parallel_begin, task", task);
  expect(parallel->value == 0, "parallel_begin", parallel);
  mark(parallel);
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) {
#ifdef ORDER
  SAY("%s", "parallel_end");
#endif
  expect(ours(parallel), "parallel_end", parallel);
  expect(ours(task), "parallel_end, task", task);
}

static void on_implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, unsigned int size,
                             unsigned int index, int flags) {
  if (at == ompt_scope_end) {
    expect(ours(task), "implicit_task end", task);
    return;
  }
  atomic_fetch_add(&implicit, 1);
  expect(task->value == 0, "implicit_task begin", task);
  if (flags & ompt_task_initial) {
    if (!ours(parallel)) mark(parallel);
  } else {
    expect(ours(parallel), "implicit_task begin, parallel", parallel);
  }
  mark(task);
  if (!(flags & ompt_task_initial)) ask("implicit_task begin", task);
}

static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task, int flags, int depends,
                           const void *code) {
  atomic_fetch_add(&tasks, 1);
  expect(!parent || ours(parent), "task_create, parent", parent);
  expect(task->value == 0, "task_create", task);
  mark(task);
  ask("task_create", parent);
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  expect(ours(prior), "task_schedule, prior", prior);
  expect(!next || ours(next), "task_schedule, next", next);
  if (status == ompt_task_complete || status == ompt_task_cancel || status == ompt_task_late_fulfill) atomic_fetch_add(&finished, 1);
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                           const void *code) {
  expect(!parallel || ours(parallel), "sync_region, parallel", parallel);
  expect(ours(task), "sync_region", task);
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, uint64_t count,
                    const void *code) {
  expect(ours(parallel), "work, parallel", parallel);
  expect(ours(task), "work", task);
  ask("work", task);
}

static int on_control_tool(uint64_t command, uint64_t modifier, void *argument, const void *code) {
  if (command == 7) {
    finalize_tool();
    return 0;
  }
  return ANSWER;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *tool_data) {
  ompt_set_callback_t set = set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  ompt_callback_t found = NULL;
  get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
  finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
  expect(!get_callback(ompt_callback_parallel_end, &found), "ompt_get_callback before", NULL);
  set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
  set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
  set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
  set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
  set(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
  set(ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_region);
  set(ompt_callback_work, (ompt_callback_t)on_work);
#ifndef DEAF
  set(ompt_callback_control_tool, (ompt_callback_t)on_control_tool);
#endif
  expect(get_callback(ompt_callback_parallel_end, &found) && found == (ompt_callback_t)on_parallel_end, "ompt_get_callback", NULL);
  tool_data->value = MARK;
  return 1;
}

static void on_late(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned int requested, int flags,
                    const void *code) {
  SAY("%s", "a region after the finaliser");
}

static void finalize(ompt_data_t *tool_data) {
  if (tool_data->value != MARK) count_wrong("tool data", tool_data);
  // Nothing is told any more, so that nothing can be registered.
  expect(set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_late) == ompt_set_error, "ompt_set_callback", NULL);
  SAY("finalize: wrong %d, threads %d, ends %d, regions %d, implicit %d, tasks %d, finished %d", wrong, threads, ends, regions,
      implicit, tasks, finished);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
