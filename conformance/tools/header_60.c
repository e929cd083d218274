// A tool of OpenMP 6.0: records by their names of 6.0, buffer limits, the new states and flags, no event that 6.0 deprecates.
#define HEADER "6.0"
#include "header_check.h"
#include <stdlib.h>

#ifdef REAL_HEADER
#include <omp-tools.h>
#else
typedef uint64_t ompt_id_t;
typedef uint64_t ompt_device_time_t;
typedef uint64_t ompt_buffer_cursor_t;
typedef void ompt_device_t;
typedef void ompt_buffer_t;
typedef union ompt_data_t {
  uint64_t value;
  void *ptr;
} ompt_data_t;
typedef struct ompt_frame_t {
  ompt_data_t exit_frame, enter_frame;
  int exit_frame_flags, enter_frame_flags;
} ompt_frame_t;
typedef enum ompt_callbacks_t {
  ompt_callback_task_create = 5,
  ompt_callback_device_initialize = 12,
  ompt_callback_target_emi = 33,
  ompt_callback_target_data_op_emi = 34,
  ompt_callback_target_submit_emi = 35
} ompt_callbacks_t;
typedef enum ompt_set_result_t { ompt_set_error = 0, ompt_set_always = 5 } ompt_set_result_t;
typedef enum ompt_record_t { ompt_record_ompt = 1, ompt_record_native = 2, ompt_record_invalid = 3 } ompt_record_t;
typedef enum ompt_scope_endpoint_t { ompt_scope_begin = 1, ompt_scope_end = 2 } ompt_scope_endpoint_t;
typedef enum ompt_target_t { ompt_target = 1 } ompt_target_t;
typedef enum ompt_target_data_op_t {
  ompt_target_data_alloc = 1,
  ompt_target_data_transfer = 7,
  ompt_target_data_memset = 8,
  ompt_target_data_transfer_rect_async = 25
} ompt_target_data_op_t;
typedef enum ompt_task_flag_t { ompt_task_importing = 0x02000000, ompt_task_exporting = 0x04000000 } ompt_task_flag_t;
typedef enum ompt_state_t {
  ompt_state_work_free_agent = 0x003,
  ompt_state_work_induction = 0x004,
  ompt_state_undefined = 0x102
} ompt_state_t;
typedef struct ompt_record_target_data_op_emi_t {
  ompt_id_t host_op_id;
  ompt_target_data_op_t optype;
  void *src_addr;
  int src_device_num;
  void *dest_addr;
  int dest_device_num;
  size_t bytes;
  ompt_device_time_t end_time;
  const void *codeptr_ra;
} ompt_record_target_data_op_emi_t;
typedef struct ompt_record_target_emi_t {
  ompt_target_t kind;
  ompt_scope_endpoint_t endpoint;
  int device_num;
  ompt_id_t task_id;
  ompt_id_t target_id;
  const void *codeptr_ra;
} ompt_record_target_emi_t;
typedef struct ompt_record_target_submit_emi_t {
  ompt_id_t host_op_id;
  unsigned int requested_num_teams;
  unsigned int granted_num_teams;
  ompt_device_time_t end_time;
} ompt_record_target_submit_emi_t;
typedef union ompt_any_record_ompt_t {
  ompt_record_target_emi_t target_emi;
  ompt_record_target_data_op_emi_t target_data_op_emi;
  ompt_record_target_submit_emi_t target_submit_emi;
} ompt_any_record_ompt_t;
typedef struct ompt_record_ompt_t {
  ompt_callbacks_t type;
  ompt_device_time_t time;
  ompt_id_t thread_id;
  ompt_id_t target_id;
  ompt_any_record_ompt_t record;
} ompt_record_ompt_t;
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
typedef int (*ompt_enumerate_states_t)(int, int *, const char **);
typedef void (*ompt_callback_buffer_request_t)(int, ompt_buffer_t **, size_t *);
typedef void (*ompt_callback_buffer_complete_t)(int, ompt_buffer_t *, size_t, ompt_buffer_cursor_t, int);
typedef ompt_set_result_t (*ompt_set_trace_ompt_t)(ompt_device_t *, unsigned, unsigned);
typedef void (*ompt_get_buffer_limits_t)(ompt_device_t *, int *, size_t *);
typedef int (*ompt_start_trace_t)(ompt_device_t *, ompt_callback_buffer_request_t, ompt_callback_buffer_complete_t);
typedef int (*ompt_advance_buffer_cursor_t)(ompt_device_t *, ompt_buffer_t *, size_t, ompt_buffer_cursor_t,
                                            ompt_buffer_cursor_t *);
typedef ompt_record_t (*ompt_get_record_type_t)(ompt_buffer_t *, ompt_buffer_cursor_t);
typedef ompt_record_ompt_t *(*ompt_get_record_ompt_t)(ompt_buffer_t *, ompt_buffer_cursor_t);
#endif

static ompt_device_t *traced;
static ompt_advance_buffer_cursor_t advance;
static ompt_get_record_type_t record_type;
static ompt_get_record_ompt_t record_ompt;
static int most;
static size_t recommended;
static atomic_int lent;

static void on_task_create(ompt_data_t *outer, const ompt_frame_t *frame, ompt_data_t *task, int flags, int dependences,
                           const void *code) {
  EXPECT(!(flags & (ompt_task_importing | ompt_task_exporting)));
  seen("task");
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t at, int device, ompt_data_t *task, ompt_data_t *target_task,
                      ompt_data_t *target, const void *code) {
  if (at == ompt_scope_begin)
    seen("target");
}

static void on_data_op(ompt_scope_endpoint_t at, ompt_data_t *target_task, ompt_data_t *target, ompt_id_t *operation,
                       ompt_target_data_op_t kind, void *from, int from_device, void *to, int to_device, size_t bytes,
                       const void *code) {
  EXPECT(kind <= ompt_target_data_transfer_rect_async);
  seen("data_op");
}

static void request(int device, ompt_buffer_t **buffer, size_t *bytes) {
  *buffer = malloc(*bytes = recommended);
  EXPECT(atomic_fetch_add(&lent, 1) < most);
}

static void complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin, int owned) {
  ompt_buffer_cursor_t at = begin;
  int more = bytes > 0 && record_type(buffer, at) != ompt_record_invalid;
  while (more) {
    ompt_record_ompt_t *record = record_type(buffer, at) == ompt_record_ompt ? record_ompt(buffer, at) : NULL;
    if (record && record->type == ompt_callback_target_emi) {
      EXPECT(record->record.target_emi.device_num == device && record->record.target_emi.codeptr_ra);
      seen("record of target_emi");
    } else if (record && record->type == ompt_callback_target_data_op_emi) {
      EXPECT(record->record.target_data_op_emi.host_op_id && record->record.target_data_op_emi.bytes);
      seen("record of target_data_op_emi");
    } else if (record && record->type == ompt_callback_target_submit_emi) {
      EXPECT(record->record.target_submit_emi.granted_num_teams && record->record.target_submit_emi.end_time >= record->time);
      seen("record of target_submit_emi");
    }
    more = advance(traced, buffer, bytes, at, &at);
  }
  if (owned) {
    atomic_fetch_sub(&lent, 1);
    free(buffer);
  }
}

static void on_device(int number, const char *type, ompt_device_t *device, ompt_function_lookup_t lookup, const char *words) {
  seen("device");
  if (!lookup || traced)
    return;
  traced = device;
  ompt_set_trace_ompt_t set = (ompt_set_trace_ompt_t)lookup("ompt_set_trace_ompt");
  ompt_get_buffer_limits_t limits = (ompt_get_buffer_limits_t)lookup("ompt_get_buffer_limits");
  advance = (ompt_advance_buffer_cursor_t)lookup("ompt_advance_buffer_cursor");
  record_type = (ompt_get_record_type_t)lookup("ompt_get_record_type");
  record_ompt = (ompt_get_record_ompt_t)lookup("ompt_get_record_ompt");
  EXPECT(limits != NULL);
  if (!limits)
    return;
  limits(device, &most, &recommended);
  limits(device, NULL, NULL);
  EXPECT(most > 0 && recommended >= 4096);
  for (unsigned event = ompt_callback_target_emi; event <= ompt_callback_target_submit_emi; event++)
    EXPECT(set(device, 1, event) == ompt_set_always);
  EXPECT(((ompt_start_trace_t)lookup("ompt_start_trace"))(device, request, complete) == 1);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  ompt_enumerate_states_t states = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
#define SET(event, function) EXPECT(set(event, (ompt_callback_t)function) == ompt_set_always)
  SET(ompt_callback_task_create, on_task_create);
  SET(ompt_callback_device_initialize, on_device);
  SET(ompt_callback_target_emi, on_target);
  SET(ompt_callback_target_data_op_emi, on_data_op);
  int state = ompt_state_undefined;
  const char *name = NULL;
  while (states(state, &state, &name))
    if (state == ompt_state_work_free_agent || state == ompt_state_work_induction)
      seen(name);
  // Those of a device are not the host's.
  EXPECT(!lookup("ompt_get_buffer_limits"));
  return 1;
}

static void finalize(ompt_data_t *data) { verdict(); }

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
