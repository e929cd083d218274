// A tool that ends the process from inside itself: by exit(17) in the event EXIT_AT, when it comes for the time that follows
// the colon, like "thread_end:1". "initialize" is one of the events.
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int seen;

static void event(const char *name) {
  const char *wanted = getenv("EXIT_AT"), *colon = wanted ? strchr(wanted, ':') : NULL;
  if (!colon || strncmp(wanted, name, colon - wanted) != 0 || name[colon - wanted] != 0) return;
  if (atomic_fetch_add(&seen, 1) + 1 == atoi(colon + 1)) {
    fprintf(stderr, "exits\n");
    exit(17);
  }
}

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *thread) { event("thread_begin"); }
static void on_thread_end(ompt_data_t *thread) { event("thread_end"); }
static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned int requested, int flags,
                              const void *code) {
  event("parallel_begin");
}
static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) { event("parallel_end"); }
static void on_implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, unsigned int size,
                             unsigned int index, int flags) {
  event(at == ompt_scope_begin ? "implicit_begin" : "implicit_end");
}
static void on_task_create(ompt_data_t *parent, const ompt_frame_t *frame, ompt_data_t *task, int flags, int depends,
                           const void *code) {
  event("task_create");
}
static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) { event("task_schedule"); }
static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                           const void *code) {
  event(at == ompt_scope_begin ? "sync_begin" : "sync_end");
}
static void on_work(ompt_work_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, uint64_t count,
                    const void *code) {
  event("work");
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int count) { event("dependences"); }
static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink) { event("task_dependence"); }
static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance) {
  event("dispatch");
}
static void on_cancel(ompt_data_t *task, int flags, const void *code) { event("cancel"); }

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
  set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
  set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
  set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
  set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
  set(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
  set(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
  set(ompt_callback_work, (ompt_callback_t)on_work);
  set(ompt_callback_dependences, (ompt_callback_t)on_dependences);
  set(ompt_callback_task_dependence, (ompt_callback_t)on_task_dependence);
  set(ompt_callback_dispatch, (ompt_callback_t)on_dispatch);
  set(ompt_callback_cancel, (ompt_callback_t)on_cancel);
  event("initialize");
  return 1;
}

static void finalize(ompt_data_t *data) { fprintf(stderr, "finalized\n"); }

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
