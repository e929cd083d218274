// A tool of OpenMP 5.2: kinds of loops by their schedules, chunks with their iterations, modifiers of mappings.
#define HEADER "5.2"
#include "header_check.h"

#ifdef REAL_HEADER
#include <omp-tools.h>
#else
typedef union ompt_data_t {
  uint64_t value;
  void *ptr;
} ompt_data_t;
typedef enum ompt_callbacks_t {
  ompt_callback_work = 20,
  ompt_callback_dispatch = 32,
  ompt_callback_target_map_emi = 36
} ompt_callbacks_t;
typedef enum ompt_set_result_t { ompt_set_error = 0, ompt_set_sometimes = 3, ompt_set_always = 5 } ompt_set_result_t;
typedef enum ompt_scope_endpoint_t { ompt_scope_begin = 1, ompt_scope_end = 2 } ompt_scope_endpoint_t;
typedef enum ompt_work_t {
  ompt_work_loop = 1,
  ompt_work_loop_static = 10,
  ompt_work_loop_dynamic = 11,
  ompt_work_loop_guided = 12,
  ompt_work_loop_other = 13
} ompt_work_t;
typedef enum ompt_dispatch_t {
  ompt_dispatch_iteration = 1,
  ompt_dispatch_section = 2,
  ompt_dispatch_ws_loop_chunk = 3
} ompt_dispatch_t;
typedef struct ompt_dispatch_chunk_t {
  uint64_t start;
  uint64_t iterations;
} ompt_dispatch_chunk_t;
enum {
  ompt_target_map_flag_always = 0x40,
  ompt_target_map_flag_present = 0x80,
  ompt_target_map_flag_close = 0x100,
  ompt_target_map_flag_shared = 0x200
};
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

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t at, ompt_data_t *parallel, ompt_data_t *task, uint64_t count,
                    const void *code) {
  EXPECT(kind != ompt_work_loop);
  if (at == ompt_scope_begin && kind >= ompt_work_loop_static && kind <= ompt_work_loop_other) {
    seen(kind == ompt_work_loop_static ? "static loop" : kind == ompt_work_loop_dynamic ? "dynamic loop" : "another loop");
    EXPECT(count == 8);
  }
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance) {
  if (kind == ompt_dispatch_ws_loop_chunk) {
    const ompt_dispatch_chunk_t *chunk = instance.ptr;
    EXPECT(chunk && chunk->iterations && chunk->start + chunk->iterations <= 8);
    seen("chunk");
  }
}

static void on_map(ompt_data_t *target, unsigned count, void **host, void **device, size_t *bytes, unsigned *flags,
                   const void *code) {
  const unsigned all = ompt_target_map_flag_always | ompt_target_map_flag_present | ompt_target_map_flag_close;
  for (unsigned at = 0; at < count; at++) {
    EXPECT(!!(flags[at] & ompt_target_map_flag_shared) == (host[at] == device[at]));
    seen((flags[at] & all) == all ? "map with modifiers" : flags[at] & all ? "map with some" : "map");
  }
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  EXPECT(set(ompt_callback_work, (ompt_callback_t)on_work) >= ompt_set_sometimes);
  EXPECT(set(ompt_callback_dispatch, (ompt_callback_t)on_dispatch) >= ompt_set_sometimes);
  EXPECT(set(ompt_callback_target_map_emi, (ompt_callback_t)on_map) == ompt_set_always);
  return 1;
}

static void finalize(ompt_data_t *data) { verdict(); }

// A tool of this version looks at what it is told, and goes on with less.
ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
