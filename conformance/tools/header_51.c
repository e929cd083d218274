// A tool of OpenMP 5.1: masked, error, and the target events with words of the tool's.
#define HEADER "5.1"
#include "header_check.h"

#ifdef REAL_HEADER
#include <omp-tools.h>
#else
typedef uint64_t ompt_id_t;
typedef union ompt_data_t {
  uint64_t value;
  void *ptr;
} ompt_data_t;
typedef enum ompt_callbacks_t {
  ompt_callback_sync_region = 23,
  ompt_callback_masked = 21,
  ompt_callback_target = 8,
  ompt_callback_target_emi = 33,
  ompt_callback_target_data_op_emi = 34,
  ompt_callback_target_submit_emi = 35,
  ompt_callback_target_map_emi = 36,
  ompt_callback_error = 37
} ompt_callbacks_t;
typedef enum ompt_set_result_t { ompt_set_error = 0, ompt_set_sometimes_paired = 4, ompt_set_always = 5 } ompt_set_result_t;
typedef enum ompt_scope_endpoint_t {
  ompt_scope_begin = 1,
  ompt_scope_end = 2,
  ompt_scope_beginend = 3
} ompt_scope_endpoint_t;
typedef enum ompt_sync_region_t {
  ompt_sync_region_barrier_explicit = 3,
  ompt_sync_region_taskwait = 5,
  ompt_sync_region_barrier_implicit_workshare = 8,
  ompt_sync_region_barrier_implicit_parallel = 9
} ompt_sync_region_t;
typedef enum ompt_target_t { ompt_target = 1, ompt_target_enter_data = 2, ompt_target_exit_data = 3 } ompt_target_t;
typedef enum ompt_target_data_op_t {
  ompt_target_data_alloc = 1,
  ompt_target_data_transfer_to_device = 2,
  ompt_target_data_transfer_from_device = 3,
  ompt_target_data_delete = 4
} ompt_target_data_op_t;
typedef enum ompt_severity_t { ompt_warning = 1, ompt_fatal = 2 } ompt_severity_t;
enum { ompt_target_map_flag_to = 0x01, ompt_target_map_flag_from = 0x02, ompt_target_map_flag_implicit = 0x20 };
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
#endif

static atomic_uint_least64_t operations;

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task,
                           const void *code) {
  if (at == ompt_scope_begin)
    seen(kind == ompt_sync_region_taskwait                     ? "taskwait"
         : kind == ompt_sync_region_barrier_implicit_parallel  ? "barrier of parallel"
         : kind == ompt_sync_region_barrier_implicit_workshare ? "barrier of worksharing"
                                                               : "explicit barrier");
}

static void on_masked(ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, const void *code) { seen("masked"); }

static void on_error(ompt_severity_t severity, const char *message, size_t length, const void *code) {
  EXPECT(severity == ompt_warning && length == strlen("the program warns") && !strncmp(message, "the program warns", length));
  seen("error");
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t at, int device, ompt_data_t *task, ompt_data_t *target_task,
                      ompt_data_t *target, const void *code) {
  if (at == ompt_scope_begin) {
    EXPECT(target->value == 0);
    target->value = 77;
    seen(kind == ompt_target ? "target" : "target data");
  } else {
    EXPECT(target->value == 77);
  }
}

static void on_data_op(ompt_scope_endpoint_t at, ompt_data_t *target_task, ompt_data_t *target, ompt_id_t *operation,
                       ompt_target_data_op_t kind, void *from, int from_device, void *to, int to_device, size_t bytes,
                       const void *code) {
  EXPECT(target->value == 77 && kind >= ompt_target_data_alloc && kind <= ompt_target_data_delete);
  if (at == ompt_scope_begin)
    *operation = ++operations;
  else
    EXPECT(*operation != 0);
  seen("data_op");
}

static void on_submit(ompt_scope_endpoint_t at, ompt_data_t *target, ompt_id_t *operation, unsigned teams) {
  EXPECT(target->value == 77);
  seen("submit");
}

static void on_map(ompt_data_t *target, unsigned count, void **host, void **device, size_t *bytes, unsigned *flags,
                   const void *code) {
  EXPECT(count > 0 && host && device && bytes);
  for (unsigned at = 0; at < count; at++) {
    EXPECT(flags[at] & 0x3f);
    seen(flags[at] & ~0x3fu ? "map with later flags" : "map");
  }
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
#define SET(event, function, least) EXPECT(set(event, (ompt_callback_t)function) >= least)
  SET(ompt_callback_sync_region, on_sync_region, ompt_set_always);
  SET(ompt_callback_masked, on_masked, ompt_set_sometimes_paired);
  SET(ompt_callback_error, on_error, ompt_set_always);
  SET(ompt_callback_target_emi, on_target, ompt_set_always);
  SET(ompt_callback_target_data_op_emi, on_data_op, ompt_set_always);
  SET(ompt_callback_target_submit_emi, on_submit, ompt_set_always);
  SET(ompt_callback_target_map_emi, on_map, ompt_set_always);
  return 1;
}

static void finalize(ompt_data_t *data) { verdict(); }

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  EXPECT(version >= 202011);
  return &result;
}
