// A tool with the names of a draft of OMPT, by the header that has them.
#define HEADER "draft"
#include "header_check.h"
#include <omp-tools-draft.h>

static ompt_get_state_t get_state;
static ompt_get_procid_t get_procid;
static atomic_int processor = -2;

static void on_thread_begin(ompt_thread_type_t type, ompt_data_t *thread) {
  EXPECT(type == ompt_thread_initial || type == ompt_thread_worker);
  seen("thread_begin");
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned requested,
                              int invoker, const void *code) {
  ompt_wait_id_t wait = 1;
  EXPECT(invoker & (ompt_invoker_program | ompt_invoker_runtime));
  EXPECT(get_state(&wait) == omp_state_work_serial && wait == ompt_wait_id_none);
  processor = get_procid();
  seen("parallel_begin");
}

static void on_dependences(ompt_data_t *task, const ompt_task_dependence_t *list, int count) {
  ompt_task_dependence_flag_t kind = list->dependence_type;
  EXPECT(kind == ompt_task_dependence_type_out || kind == ompt_task_dependence_type_inout);
  seen("task_dependences");
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  seen(status == ompt_task_others ? "others" : "complete");
}

static void on_work(ompt_work_type_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, uint64_t count,
                    const void *code) {
  seen("work");
}

static void on_sync_region(ompt_sync_region_kind_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                           const void *code) {
  seen(kind == ompt_sync_region_taskwait ? "taskwait" : "barrier");
}

static void on_idle(ompt_scope_endpoint_t at) { EXPECT(!"told of an idle thread"); }

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  get_procid = (ompt_get_procid_t)lookup("ompt_get_procid");
  EXPECT(get_procid && (ompt_interface_fn_t)get_procid == lookup("ompt_get_proc_id"));
  // What these did is done otherwise now.
  EXPECT(!lookup("ompt_get_idle_frame") && !lookup("ompt_enumerate_state") && !lookup("ompt_get_thread_id"));
#define SET(event, function) EXPECT(set(event, (ompt_callback_t)function) >= ompt_set_sometimes)
  SET(ompt_callback_thread_begin, on_thread_begin);
  SET(ompt_callback_parallel_begin, on_parallel_begin);
  SET(ompt_callback_task_dependences, on_dependences);
  SET(ompt_callback_task_schedule, on_task_schedule);
  SET(ompt_callback_work, on_work);
  SET(ompt_callback_sync_region, on_sync_region);
  ompt_callback_idle_t idle = on_idle;
  EXPECT(set(ompt_callback_idle, (ompt_callback_t)idle) == ompt_set_error);
  int steps = 0, state = omp_state_undefined;
  const char *name = NULL;
  while (((ompt_enumerate_states_t)lookup("ompt_enumerate_states"))(state, &state, &name))
    steps++;
  EXPECT(steps > 10);
  return 1;
}

static void finalize(ompt_data_t *data) {
  EXPECT(processor >= 0);
  verdict();
}

ompt_fns_t *ompt_start_tool(unsigned int version, const char *runtime) {
  static ompt_fns_t result = {initialize, finalize, {0}};
  return &result;
}
