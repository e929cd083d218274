// A tool of OpenMP 5.0: master, the target events without data words, five kinds of barriers fewer than today.
#define HEADER "5.0"
#include "header_check.h"

#ifdef REAL_HEADER
#include <omp-tools.h>
#else
typedef uint64_t ompt_id_t;
typedef union ompt_data_t {
  uint64_t value;
  void *ptr;
} ompt_data_t;
typedef struct ompt_frame_t {
  ompt_data_t exit_frame, enter_frame;
  int exit_frame_flags, enter_frame_flags;
} ompt_frame_t;
typedef enum ompt_callbacks_t {
  ompt_callback_thread_begin = 1,
  ompt_callback_parallel_begin = 3,
  ompt_callback_task_create = 5,
  ompt_callback_task_schedule = 6,
  ompt_callback_implicit_task = 7,
  ompt_callback_target = 8,
  ompt_callback_target_data_op = 9,
  ompt_callback_target_submit = 10,
  ompt_callback_dependences = 18,
  ompt_callback_work = 20,
  ompt_callback_master = 21,
  ompt_callback_sync_region = 23,
  ompt_callback_dispatch = 32
} ompt_callbacks_t;
typedef enum ompt_set_result_t { ompt_set_error = 0, ompt_set_sometimes = 3, ompt_set_always = 5 } ompt_set_result_t;
typedef enum ompt_scope_endpoint_t { ompt_scope_begin = 1, ompt_scope_end = 2 } ompt_scope_endpoint_t;
typedef enum ompt_thread_t { ompt_thread_initial = 1, ompt_thread_worker = 2 } ompt_thread_t;
typedef enum ompt_work_t { ompt_work_loop = 1, ompt_work_sections = 2, ompt_work_taskloop = 7 } ompt_work_t;
typedef enum ompt_sync_region_t {
  ompt_sync_region_barrier = 1,
  ompt_sync_region_barrier_implicit = 2,
  ompt_sync_region_barrier_explicit = 3,
  ompt_sync_region_barrier_implementation = 4,
  ompt_sync_region_taskwait = 5,
  ompt_sync_region_taskgroup = 6,
  ompt_sync_region_reduction = 7
} ompt_sync_region_t;
typedef enum ompt_dispatch_t { ompt_dispatch_iteration = 1, ompt_dispatch_section = 2 } ompt_dispatch_t;
typedef enum ompt_task_status_t { ompt_task_complete = 1, ompt_task_switch = 7 } ompt_task_status_t;
typedef enum ompt_target_t { ompt_target = 1, ompt_target_enter_data = 2, ompt_target_exit_data = 3 } ompt_target_t;
typedef enum ompt_target_data_op_t { ompt_target_data_alloc = 1, ompt_target_data_delete = 4 } ompt_target_data_op_t;
typedef enum ompt_dependence_type_t { ompt_dependence_type_out = 2, ompt_dependence_type_inout = 3 } ompt_dependence_type_t;
typedef struct ompt_dependence_t {
  ompt_data_t variable;
  ompt_dependence_type_t dependence_type;
} ompt_dependence_t;
enum { ompt_task_initial = 1, ompt_task_implicit = 2, ompt_task_explicit = 4, ompt_task_target = 8 };
enum { ompt_state_undefined = 0x102 };
typedef void (*ompt_interface_fn_t)(void);
typedef void (*ompt_callback_t)(void);
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *);
typedef int (*ompt_initialize_t)(ompt_function_lookup_t, int, ompt_data_t *);
typedef void (*ompt_finalize_t)(ompt_data_t *);
typedef struct ompt_start_tool_result_t {
  ompt_initialize_t initialize;
  ompt_finalize_t finalize;
  ompt_data_t tool_data;
} ompt_start_tool_result_t;
typedef ompt_set_result_t (*ompt_set_callback_t)(ompt_callbacks_t, ompt_callback_t);
typedef int (*ompt_get_callback_t)(ompt_callbacks_t, ompt_callback_t *);
typedef int (*ompt_enumerate_states_t)(int, int *, const char **);
typedef int (*ompt_get_target_info_t)(uint64_t *, ompt_id_t *, ompt_id_t *);
#endif

static ompt_get_target_info_t get_target_info;

static void on_thread_begin(ompt_thread_t type, ompt_data_t *thread) {
  EXPECT(type == ompt_thread_initial || type == ompt_thread_worker);
  EXPECT(thread->value == 0);
  thread->value = 1;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned requested, int flags,
                              const void *code) {
  seen("parallel_begin");
  EXPECT(frame->enter_frame.ptr && code && parallel->value == 0);
}

static void on_implicit_task(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, unsigned size, unsigned index,
                             int flags) {
  EXPECT((flags & ompt_task_initial) != (flags & ompt_task_implicit));
}

static void on_task_create(ompt_data_t *outer, const ompt_frame_t *frame, ompt_data_t *task, int flags, int dependences,
                           const void *code) {
  seen(flags & ompt_task_explicit ? "explicit task" : flags & ompt_task_target ? "target task" : "another task");
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  EXPECT(status >= ompt_task_complete);
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int count) {
  seen("dependences");
  EXPECT(count == 1 && list->variable.ptr);
  EXPECT(list->dependence_type == ompt_dependence_type_out || list->dependence_type == ompt_dependence_type_inout);
}

// Kinds that this version does not have are seen, and do no harm.
static void on_work(ompt_work_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, uint64_t count,
                    const void *code) {
  seen(kind > ompt_work_taskloop ? "later work" : "work");
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                           const void *code) {
  if (at == ompt_scope_begin)
    seen(kind == ompt_sync_region_taskwait ? "taskwait" : kind > ompt_sync_region_reduction ? "later barrier" : "barrier");
}

static void on_master(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, const void *code) { seen("master"); }

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance) {
  seen(kind > ompt_dispatch_section ? "later dispatch" : "dispatch");
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t at, int device, ompt_data_t *task, ompt_id_t target,
                      const void *code) {
  uint64_t number = ~0ull;
  ompt_id_t same = 0, operation = 0;
  EXPECT(target != 0 && get_target_info(&number, &same, &operation) == 1);
  EXPECT(same == target && number == (uint64_t)device);
  if (at == ompt_scope_begin)
    seen(kind == ompt_target ? "target" : "target data");
}

static void on_data_op(ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t kind, void *from, int from_device, void *to,
                       int to_device, size_t bytes, const void *code) {
  EXPECT(target && operation && kind <= ompt_target_data_delete && bytes);
  seen("data_op");
}

static void on_submit(ompt_id_t target, ompt_id_t operation, unsigned teams) {
  EXPECT(target && operation);
  seen("submit");
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  ompt_get_callback_t get = (ompt_get_callback_t)lookup("ompt_get_callback");
  get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
  ompt_enumerate_states_t states = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
#define SET(event, function, least)                                                                                            \
  do {                                                                                                                         \
    ompt_callback_t there = NULL;                                                                                              \
    EXPECT(set(event, (ompt_callback_t)function) >= least);                                                                    \
    EXPECT(get(event, &there) == 1 && there == (ompt_callback_t)function);                                                     \
  } while (0)
  SET(ompt_callback_thread_begin, on_thread_begin, ompt_set_always);
  SET(ompt_callback_parallel_begin, on_parallel_begin, ompt_set_always);
  SET(ompt_callback_task_create, on_task_create, ompt_set_always);
  SET(ompt_callback_task_schedule, on_task_schedule, ompt_set_always);
  SET(ompt_callback_implicit_task, on_implicit_task, ompt_set_always);
  SET(ompt_callback_target, on_target, ompt_set_always);
  SET(ompt_callback_target_data_op, on_data_op, ompt_set_always);
  SET(ompt_callback_target_submit, on_submit, ompt_set_always);
  SET(ompt_callback_dependences, on_dependences, ompt_set_always);
  SET(ompt_callback_work, on_work, ompt_set_sometimes);
  SET(ompt_callback_master, on_master, ompt_set_sometimes);
  SET(ompt_callback_sync_region, on_sync_region, ompt_set_always);
  SET(ompt_callback_dispatch, on_dispatch, ompt_set_sometimes);
  int state = ompt_state_undefined, steps = 0;
  const char *name = NULL;
  while (steps < 1000 && states(state, &state, &name))
    EXPECT(name && ++steps);
  EXPECT(steps > 10 && steps < 1000);
  return 1;
}

static void finalize(ompt_data_t *data) { verdict(); }

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  EXPECT(version >= 201811);
  return &result;
}
