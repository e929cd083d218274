/*
 * omp-tools.h: OMPT and OMPD of OpenMP 5.1 (chapters 4 and 5) for tools and debuggers written in C or C++, with the values and
 * entry points of OpenMP 5.2 and 6.0, each marked as such.
 *
 * A tool of OMPT defines ompt_start_tool() and is found in the program's address space or through OMP_TOOL_LIBRARIES. Everything
 * else is reached by the lookup function that its initialiser is given. A debugger loads the library that ompd_dll_locations of the
 * program names, and calls what stands under OMPD. Section numbers are those of the specification.
 *
 * Written by `cargo xtask generate` from the crates ferromp-ompt and ferromp-ompd; changes belong there.
 */
#if !defined(FERROMP_OMP_TOOLS_H) && !defined(__OMPT__)
#define FERROMP_OMP_TOOLS_H
/* The mark of other implementations' header of this name: a second one must not define all of it again. */
#define __OMPT__

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Identifiers, times, tool data (4.4.4) ---- */

/* Identifies an object in a trace record (ompt_id_t, 4.4.4.3). */
typedef uint64_t ompt_id_t;
#define ompt_id_none 0

/* Identifies what a thread waits for: a lock, a critical name, … (ompt_wait_id_t, 4.4.4.30). */
typedef uint64_t ompt_wait_id_t;
#define ompt_wait_id_none 0

/* A point in time by a device's own clock (ompt_device_time_t, 4.4.4.6). */
typedef uint64_t ompt_device_time_t;
#define ompt_time_none 0

/* Identifies a piece of hardware of a device (ompt_hwid_t, 4.4.4.26). */
typedef uint64_t ompt_hwid_t;
#define ompt_hwid_none 0

/* A position in a trace buffer; only the device's functions give it a meaning (ompt_buffer_cursor_t,
 * 4.4.4.8). */
typedef uint64_t ompt_buffer_cursor_t;

/* A trace buffer; opaque (ompt_buffer_t, 4.4.4.7). */
typedef void ompt_buffer_t;

/* A device that can record a trace; opaque (ompt_device_t, 4.4.4.5). */
typedef void ompt_device_t;

/* Nothing is known of how the mutual exclusion is implemented. */
#define ompt_mutex_impl_none 0
/* There is no such address. */
#define ompt_addr_none (~0ULL)
/* An initialiser of ompt_data_t. */
#define ompt_data_none {0}

/* A word that belongs to the tool: the runtime sets it to zero when it makes the thread, parallel region or
 * task, keeps it, and never reads it (ompt_data_t, 4.4.4.4). */
typedef union ompt_data_t {
  /* The word as a number. */
  uint64_t value;
  /* The word as a pointer. */
  void *ptr;
} ompt_data_t;

/* ---- Events (4.4.2) ---- */

/* The numbers of the events, as ompt_set_callback takes them. */
typedef enum ompt_callbacks_t {
  ompt_callback_thread_begin = 1,
  ompt_callback_thread_end = 2,
  ompt_callback_parallel_begin = 3,
  ompt_callback_parallel_end = 4,
  ompt_callback_task_create = 5,
  ompt_callback_task_schedule = 6,
  ompt_callback_implicit_task = 7,
  ompt_callback_target = 8,
  ompt_callback_target_data_op = 9,
  ompt_callback_target_submit = 10,
  ompt_callback_control_tool = 11,
  ompt_callback_device_initialize = 12,
  ompt_callback_device_finalize = 13,
  ompt_callback_device_load = 14,
  ompt_callback_device_unload = 15,
  ompt_callback_sync_region_wait = 16,
  ompt_callback_mutex_released = 17,
  ompt_callback_dependences = 18,
  ompt_callback_task_dependence = 19,
  ompt_callback_work = 20,
  ompt_callback_master = 21, /* the name before 5.1 */
  ompt_callback_masked = 21,
  ompt_callback_target_map = 22,
  ompt_callback_sync_region = 23,
  ompt_callback_lock_init = 24,
  ompt_callback_lock_destroy = 25,
  ompt_callback_mutex_acquire = 26,
  ompt_callback_mutex_acquired = 27,
  ompt_callback_nest_lock = 28,
  ompt_callback_flush = 29,
  ompt_callback_cancel = 30,
  ompt_callback_reduction = 31,
  ompt_callback_dispatch = 32,
  ompt_callback_target_emi = 33,
  ompt_callback_target_data_op_emi = 34,
  ompt_callback_target_submit_emi = 35,
  ompt_callback_target_map_emi = 36,
  ompt_callback_error = 37
} ompt_callbacks_t;

/* ---- Enumerations and flags (4.4.3, 4.4.4) ---- */

/* What ompt_set_callback and the trace setters answer (4.4.4.2). */
typedef enum ompt_set_result_t {
  ompt_set_error = 0,
  ompt_set_never = 1,
  ompt_set_impossible = 2,
  ompt_set_sometimes = 3,
  ompt_set_sometimes_paired = 4,
  ompt_set_always = 5
} ompt_set_result_t;

/* Whether an event begins a scope, ends it, or both at once (4.4.4.11). */
typedef enum ompt_scope_endpoint_t {
  ompt_scope_begin = 1,
  ompt_scope_end = 2,
  ompt_scope_beginend = 3
} ompt_scope_endpoint_t;

/* The kind of a thread (4.4.4.10). */
typedef enum ompt_thread_t {
  ompt_thread_initial = 1,
  ompt_thread_worker = 2,
  ompt_thread_other = 3,
  ompt_thread_unknown = 4
} ompt_thread_t;

/* The kind of a dispatched piece of work (4.4.4.12). */
typedef enum ompt_dispatch_t {
  ompt_dispatch_iteration = 1,
  ompt_dispatch_section = 2,
  ompt_dispatch_ws_loop_chunk = 3,
  ompt_dispatch_taskloop_chunk = 4,
  ompt_dispatch_distribute_chunk = 5
} ompt_dispatch_t;

/* The kind of a synchronisation region (4.4.4.13). */
typedef enum ompt_sync_region_t {
  ompt_sync_region_barrier = 1, /* Deprecated in 5.1. */
  ompt_sync_region_barrier_implicit = 2, /* Deprecated in 5.1. */
  ompt_sync_region_barrier_explicit = 3,
  ompt_sync_region_barrier_implementation = 4,
  ompt_sync_region_taskwait = 5,
  ompt_sync_region_taskgroup = 6,
  ompt_sync_region_reduction = 7,
  ompt_sync_region_barrier_implicit_workshare = 8,
  ompt_sync_region_barrier_implicit_parallel = 9,
  ompt_sync_region_barrier_teams = 10
} ompt_sync_region_t;

/* The kind of a data operation of a device (4.4.4.14). */
typedef enum ompt_target_data_op_t {
  ompt_target_data_alloc = 1,
  ompt_target_data_transfer_to_device = 2,
  ompt_target_data_transfer_from_device = 3,
  ompt_target_data_delete = 4,
  ompt_target_data_associate = 5,
  ompt_target_data_disassociate = 6,
  ompt_target_data_transfer = 7, /* Of OpenMP 6.0, where it stands for both directions. */
  ompt_target_data_memset = 8, /* Of OpenMP 6.0: 5.1 has the routine and no kind for it. */
  ompt_target_data_transfer_rect = 9, /* Of OpenMP 6.0. */
  ompt_target_data_alloc_async = 17,
  ompt_target_data_transfer_to_device_async = 18,
  ompt_target_data_transfer_from_device_async = 19,
  ompt_target_data_delete_async = 20,
  ompt_target_data_transfer_async = 23, /* Of OpenMP 6.0. */
  ompt_target_data_memset_async = 24, /* Of OpenMP 6.0. */
  ompt_target_data_transfer_rect_async = 25 /* Of OpenMP 6.0. */
} ompt_target_data_op_t;

/* The kind of a worksharing region (4.4.4.15). */
typedef enum ompt_work_t {
  ompt_work_loop = 1,
  ompt_work_sections = 2,
  ompt_work_single_executor = 3,
  ompt_work_single_other = 4,
  ompt_work_workshare = 5,
  ompt_work_distribute = 6,
  ompt_work_taskloop = 7,
  ompt_work_scope = 8,
  ompt_work_workdistribute = 9, /* Of OpenMP 6.0. */
  ompt_work_loop_static = 10, /* Of OpenMP 5.2, as the next three. */
  ompt_work_loop_dynamic = 11,
  ompt_work_loop_guided = 12,
  ompt_work_loop_other = 13
} ompt_work_t;

/* The kind of a mutual exclusion (4.4.4.16). */
typedef enum ompt_mutex_t {
  ompt_mutex_lock = 1,
  ompt_mutex_test_lock = 2,
  ompt_mutex_nest_lock = 3,
  ompt_mutex_test_nest_lock = 4,
  ompt_mutex_critical = 5,
  ompt_mutex_atomic = 6,
  ompt_mutex_ordered = 7
} ompt_mutex_t;

/* Why a task stopped running (4.4.4.19). */
typedef enum ompt_task_status_t {
  ompt_task_complete = 1,
  ompt_task_yield = 2,
  ompt_task_cancel = 3,
  ompt_task_detach = 4,
  ompt_task_early_fulfill = 5,
  ompt_task_late_fulfill = 6,
  ompt_task_switch = 7,
  ompt_taskwait_complete = 8
} ompt_task_status_t;

/* The kind of a target region (4.4.4.20). */
typedef enum ompt_target_t {
  ompt_target = 1,
  ompt_target_enter_data = 2,
  ompt_target_exit_data = 3,
  ompt_target_update = 4,
  ompt_target_nowait = 9,
  ompt_target_enter_data_nowait = 10,
  ompt_target_exit_data_nowait = 11,
  ompt_target_update_nowait = 12
} ompt_target_t;

/* The kind of a task dependence (4.4.4.23). */
typedef enum ompt_dependence_type_t {
  ompt_dependence_type_in = 1,
  ompt_dependence_type_out = 2,
  ompt_dependence_type_inout = 3,
  ompt_dependence_type_mutexinoutset = 4,
  ompt_dependence_type_source = 5,
  ompt_dependence_type_sink = 6,
  ompt_dependence_type_inoutset = 7,
  ompt_dependence_type_out_all_memory = 34,
  ompt_dependence_type_inout_all_memory = 35
} ompt_dependence_type_t;

/* How bad the error is that an error directive reports (4.4.4.24). */
typedef enum ompt_severity_t {
  ompt_warning = 1,
  ompt_fatal = 2
} ompt_severity_t;

/* The kind of a trace record (4.4.3.1). */
typedef enum ompt_record_t {
  ompt_record_ompt = 1,
  ompt_record_native = 2,
  ompt_record_invalid = 3
} ompt_record_t;

/* The class of a native trace record (4.4.3.2). */
typedef enum ompt_record_native_t {
  ompt_record_native_info = 1,
  ompt_record_native_event = 2
} ompt_record_native_t;

/* What kind of parallel region it is and who invokes its outlined function (4.4.4.21). */
typedef enum ompt_parallel_flag_t {
  ompt_parallel_invoker_program = 0x00000001,
  ompt_parallel_invoker_runtime = 0x00000002,
  ompt_parallel_league = 0x40000000,
  ompt_parallel_team = (int)0x80000000
} ompt_parallel_flag_t;

/* The kind and the clauses of a task (4.4.4.18). */
typedef enum ompt_task_flag_t {
  ompt_task_initial = 0x00000001,
  ompt_task_implicit = 0x00000002,
  ompt_task_explicit = 0x00000004,
  ompt_task_target = 0x00000008,
  ompt_task_taskwait = 0x00000010,
  ompt_task_importing = 0x02000000, /* Of OpenMP 6.0, as the next one: of a transparent task. */
  ompt_task_exporting = 0x04000000,
  ompt_task_undeferred = 0x08000000,
  ompt_task_untied = 0x10000000,
  ompt_task_final = 0x20000000,
  ompt_task_mergeable = 0x40000000,
  ompt_task_merged = (int)0x80000000
} ompt_task_flag_t;

/* How a variable is mapped (4.4.4.22). */
typedef enum ompt_target_map_flag_t {
  ompt_target_map_flag_to = 0x01,
  ompt_target_map_flag_from = 0x02,
  ompt_target_map_flag_alloc = 0x04,
  ompt_target_map_flag_release = 0x08,
  ompt_target_map_flag_delete = 0x10,
  ompt_target_map_flag_implicit = 0x20,
  ompt_target_map_flag_always = 0x40, /* Of OpenMP 5.2, as the next three. */
  ompt_target_map_flag_present = 0x80,
  ompt_target_map_flag_close = 0x100,
  ompt_target_map_flag_shared = 0x200 /* The variable and its counterpart are the same memory. */
} ompt_target_map_flag_t;

/* What is cancelled and what the thread did about it (4.4.4.25). */
typedef enum ompt_cancel_flag_t {
  ompt_cancel_parallel = 0x01,
  ompt_cancel_sections = 0x02,
  ompt_cancel_loop = 0x04,
  ompt_cancel_taskgroup = 0x08,
  ompt_cancel_activated = 0x10,
  ompt_cancel_detected = 0x20,
  ompt_cancel_discarded_task = 0x40
} ompt_cancel_flag_t;

/* Whose frame an address in a ompt_frame_t belongs to, and how it points into it: two fields in one integer
 * (4.4.4.29). */
typedef enum ompt_frame_flag_t {
  ompt_frame_runtime = 0x00, /* The frame of a routine of the runtime; the absence of APPLICATION. */
  ompt_frame_application = 0x01,
  ompt_frame_cfa = 0x10,
  ompt_frame_framepointer = 0x20,
  ompt_frame_stackaddress = 0x30
} ompt_frame_flag_t;

/* What native events a device should record (4.4.4.17). */
typedef enum ompt_native_mon_flag_t {
  ompt_native_data_motion_explicit = 0x01,
  ompt_native_data_motion_implicit = 0x02,
  ompt_native_kernel_invocation = 0x04,
  ompt_native_kernel_execution = 0x08,
  ompt_native_driver = 0x10,
  ompt_native_runtime = 0x20,
  ompt_native_overhead = 0x40,
  ompt_native_idleness = 0x80
} ompt_native_mon_flag_t;

/* What a thread is doing. Values from 0x200 up belong to the implementation. */
typedef enum ompt_state_t {
  ompt_state_work_serial = 0x000,
  ompt_state_work_parallel = 0x001,
  ompt_state_work_reduction = 0x002,
  ompt_state_work_free_agent = 0x003, /* Of OpenMP 6.0: the code of a task of another team's. */
  ompt_state_work_induction = 0x004, /* Of OpenMP 6.0. */
  ompt_state_wait_barrier = 0x010, /* Deprecated in 5.1. */
  ompt_state_wait_barrier_implicit_parallel = 0x011,
  ompt_state_wait_barrier_implicit_workshare = 0x012,
  ompt_state_wait_barrier_implicit = 0x013, /* Deprecated in 5.1. */
  ompt_state_wait_barrier_explicit = 0x014,
  ompt_state_wait_barrier_implementation = 0x015,
  ompt_state_wait_barrier_teams = 0x016,
  ompt_state_wait_taskwait = 0x020,
  ompt_state_wait_taskgroup = 0x021,
  ompt_state_wait_mutex = 0x040,
  ompt_state_wait_lock = 0x041,
  ompt_state_wait_critical = 0x042,
  ompt_state_wait_atomic = 0x043,
  ompt_state_wait_ordered = 0x044,
  ompt_state_wait_target = 0x080,
  ompt_state_wait_target_map = 0x081,
  ompt_state_wait_target_update = 0x082,
  ompt_state_idle = 0x100,
  ompt_state_overhead = 0x101,
  ompt_state_undefined = 0x102
} ompt_state_t;

/* ---- Structures (4.4.4) ---- */

/* Where the runtime's frames of a task lie on the stack (ompt_frame_t, 4.4.4.28). The flags are
 * ompt_frame_flag_ts. */
typedef struct ompt_frame_t {
  /* The frame that left the runtime to run the task's user code; NONE for an initial task and before the
   * task's code starts. */
  ompt_data_t exit_frame;
  /* The frame through which the task's user code last entered the runtime; NONE while user code runs. */
  ompt_data_t enter_frame;
  /* How to read exit_frame. */
  int exit_frame_flags;
  /* How to read enter_frame. */
  int enter_frame_flags;
} ompt_frame_t;

/* One dependence of a task (ompt_dependence_t, 4.4.4.9). */
typedef struct ompt_dependence_t {
  /* The address of the storage location, or for SOURCE and SINK the iteration vector's value in that
   * dimension. */
  ompt_data_t variable;
  /* The kind of dependence. */
  ompt_dependence_type_t dependence_type;
} ompt_dependence_t;

/* A chunk of a loop's logical iterations, to which the instance of a dispatch event points
 * (ompt_dispatch_chunk_t). */
typedef struct ompt_dispatch_chunk_t {
  /* The first logical iteration, counted from 0. */
  uint64_t start;
  /* The number of iterations. */
  uint64_t iterations;
} ompt_dispatch_chunk_t;

/* A rectangle that a routine copies, to which an address of a data operation points where its kind is
 * ompt_target_data_transfer_rect (ompt_subvolume_t, OpenMP 6.0, section 33.32). */
typedef struct ompt_subvolume_t {
  /* The array's first element. */
  const void *base;
  /* Bytes of an element. */
  uint64_t size;
  /* Dimensions: as many elements each of the lists below has. */
  uint64_t num_dims;
  /* Elements of the rectangle in each dimension. */
  const uint64_t *volume;
  /* Where the rectangle begins in each dimension. */
  const uint64_t *offsets;
  /* Elements of the array in each dimension. */
  const uint64_t *dimensions;
} ompt_subvolume_t;

/* ---- Start (4.2, 4.4.1, 4.5.1) ---- */

/* An entry point, and a callback, without its type. */
typedef void (*ompt_interface_fn_t)(void);
typedef void (*ompt_callback_t)(void);

/* A device asks for a trace buffer: writes its address and size in bytes; a null address or no bytes declines
 * (4.5.2.23). */
typedef void (*ompt_callback_buffer_request_t)(int device_num, ompt_buffer_t **buffer, size_t *bytes);

/* A device hands a trace buffer back, filled with bytes bytes from the cursor begin on; if buffer_owned is
 * not 0 it may be freed (4.5.2.24). */
typedef void (*ompt_callback_buffer_complete_t)(
    int device_num,
    ompt_buffer_t *buffer,
    size_t bytes,
    ompt_buffer_cursor_t begin,
    int buffer_owned);

/* Finds an entry point by its name in C (4.6.3). */
typedef ompt_interface_fn_t (*ompt_function_lookup_t)(const char *interface_function_name);

/* The tool's initialiser: 0 says that the tool does not want to be active (4.5.1.1). */
typedef int (*ompt_initialize_t)(
    ompt_function_lookup_t lookup,
    int initial_device_num,
    ompt_data_t *tool_data);

/* The tool's finaliser (4.5.1.2). */
typedef void (*ompt_finalize_t)(ompt_data_t *tool_data);

/* What ompt_start_tool returns (ompt_start_tool_result_t, 4.4.1). The tool keeps it alive until its finaliser
 * has run. */
typedef struct ompt_start_tool_result_t {
  /* Called once while the runtime starts. */
  ompt_initialize_t initialize;
  /* Called once when the runtime ends, if the initialiser returned other than 0. */
  ompt_finalize_t finalize;
  /* Handed to both by address. */
  ompt_data_t tool_data;
} ompt_start_tool_result_t;

/* The function that a tool exports under this name (4.2.1); null declines. */
#ifdef __GNUC__
__attribute__((visibility("default")))
#endif
ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version);

/* ---- Callbacks (4.5.2) ---- */

typedef void (*ompt_callback_thread_begin_t)(ompt_thread_t thread_type, ompt_data_t *thread_data);

typedef void (*ompt_callback_thread_end_t)(ompt_data_t *thread_data);

typedef void (*ompt_callback_parallel_begin_t)(
    ompt_data_t *encountering_task_data,
    const ompt_frame_t *encountering_task_frame,
    ompt_data_t *parallel_data,
    unsigned int requested_parallelism,
    int flags,
    const void *codeptr_ra);

typedef void (*ompt_callback_parallel_end_t)(
    ompt_data_t *parallel_data,
    ompt_data_t *encountering_task_data,
    int flags,
    const void *codeptr_ra);

typedef void (*ompt_callback_task_create_t)(
    ompt_data_t *encountering_task_data,
    const ompt_frame_t *encountering_task_frame,
    ompt_data_t *new_task_data,
    int flags,
    int has_dependences,
    const void *codeptr_ra);

typedef void (*ompt_callback_task_schedule_t)(
    ompt_data_t *prior_task_data,
    ompt_task_status_t prior_task_status,
    ompt_data_t *next_task_data);

typedef void (*ompt_callback_implicit_task_t)(
    ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel_data,
    ompt_data_t *task_data,
    unsigned int actual_parallelism,
    unsigned int index,
    int flags);

typedef void (*ompt_callback_target_t)(
    ompt_target_t kind,
    ompt_scope_endpoint_t endpoint,
    int device_num,
    ompt_data_t *task_data,
    ompt_id_t target_id,
    const void *codeptr_ra);

typedef void (*ompt_callback_target_data_op_t)(
    ompt_id_t target_id,
    ompt_id_t host_op_id,
    ompt_target_data_op_t optype,
    void *src_addr,
    int src_device_num,
    void *dest_addr,
    int dest_device_num,
    size_t bytes,
    const void *codeptr_ra);

typedef void (*ompt_callback_target_submit_t)(
    ompt_id_t target_id,
    ompt_id_t host_op_id,
    unsigned int requested_num_teams);

typedef int (*ompt_callback_control_tool_t)(
    uint64_t command,
    uint64_t modifier,
    void *arg,
    const void *codeptr_ra);

typedef void (*ompt_callback_device_initialize_t)(
    int device_num,
    const char *device_type,
    ompt_device_t *device,
    ompt_function_lookup_t lookup,
    const char *documentation);

typedef void (*ompt_callback_device_finalize_t)(int device_num);

typedef void (*ompt_callback_device_load_t)(
    int device_num,
    const char *filename,
    int64_t offset_in_file,
    void *vma_in_file,
    size_t bytes,
    void *host_addr,
    void *device_addr,
    uint64_t module_id);

typedef void (*ompt_callback_device_unload_t)(int device_num, uint64_t module_id);

/* ompt_callback_sync_region_wait, ompt_callback_sync_region, ompt_callback_reduction */
typedef void (*ompt_callback_sync_region_t)(
    ompt_sync_region_t kind,
    ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel_data,
    ompt_data_t *task_data,
    const void *codeptr_ra);

/* ompt_callback_mutex_released, ompt_callback_lock_destroy, ompt_callback_mutex_acquired */
typedef void (*ompt_callback_mutex_t)(ompt_mutex_t kind, ompt_wait_id_t wait_id, const void *codeptr_ra);

typedef void (*ompt_callback_dependences_t)(ompt_data_t *task_data, const ompt_dependence_t *deps, int ndeps);

typedef void (*ompt_callback_task_dependence_t)(ompt_data_t *src_task_data, ompt_data_t *sink_task_data);

typedef void (*ompt_callback_work_t)(
    ompt_work_t work_type,
    ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel_data,
    ompt_data_t *task_data,
    uint64_t count,
    const void *codeptr_ra);

typedef void (*ompt_callback_masked_t)(
    ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel_data,
    ompt_data_t *task_data,
    const void *codeptr_ra);
typedef ompt_callback_masked_t ompt_callback_master_t; /* the name before 5.1 */

typedef void (*ompt_callback_target_map_t)(
    ompt_id_t target_id,
    unsigned int nitems,
    void **host_addr,
    void **device_addr,
    size_t *bytes,
    unsigned int *mapping_flags,
    const void *codeptr_ra);

/* ompt_callback_lock_init, ompt_callback_mutex_acquire */
typedef void (*ompt_callback_mutex_acquire_t)(
    ompt_mutex_t kind,
    unsigned int hint,
    unsigned int impl,
    ompt_wait_id_t wait_id,
    const void *codeptr_ra);

typedef void (*ompt_callback_nest_lock_t)(
    ompt_scope_endpoint_t endpoint,
    ompt_wait_id_t wait_id,
    const void *codeptr_ra);

typedef void (*ompt_callback_flush_t)(ompt_data_t *thread_data, const void *codeptr_ra);

typedef void (*ompt_callback_cancel_t)(ompt_data_t *task_data, int flags, const void *codeptr_ra);

typedef void (*ompt_callback_dispatch_t)(
    ompt_data_t *parallel_data,
    ompt_data_t *task_data,
    ompt_dispatch_t kind,
    ompt_data_t instance);

typedef void (*ompt_callback_target_emi_t)(
    ompt_target_t kind,
    ompt_scope_endpoint_t endpoint,
    int device_num,
    ompt_data_t *task_data,
    ompt_data_t *target_task_data,
    ompt_data_t *target_data,
    const void *codeptr_ra);

typedef void (*ompt_callback_target_data_op_emi_t)(
    ompt_scope_endpoint_t endpoint,
    ompt_data_t *target_task_data,
    ompt_data_t *target_data,
    ompt_id_t *host_op_id,
    ompt_target_data_op_t optype,
    void *src_addr,
    int src_device_num,
    void *dest_addr,
    int dest_device_num,
    size_t bytes,
    const void *codeptr_ra);

typedef void (*ompt_callback_target_submit_emi_t)(
    ompt_scope_endpoint_t endpoint,
    ompt_data_t *target_data,
    ompt_id_t *host_op_id,
    unsigned int requested_num_teams);

typedef void (*ompt_callback_target_map_emi_t)(
    ompt_data_t *target_data,
    unsigned int nitems,
    void **host_addr,
    void **device_addr,
    size_t *bytes,
    unsigned int *mapping_flags,
    const void *codeptr_ra);

typedef void (*ompt_callback_error_t)(
    ompt_severity_t severity,
    const char *message,
    size_t length,
    const void *codeptr_ra);

/* ---- Trace records (4.4.3, 4.5.2) ---- */

/* What can be said of a native record in general terms (ompt_record_abstract_t, 4.4.3.3). */
typedef struct ompt_record_abstract_t {
  /* Whether it is an event or an information. */
  ompt_record_native_t rclass;
  /* The device's name for it, a C string. */
  const char *type;
  /* When it began, or ompt_time_none. */
  ompt_device_time_t start_time;
  /* When it ended, or ompt_time_none. */
  ompt_device_time_t end_time;
  /* Where it ran, or ompt_hwid_none. */
  ompt_hwid_t hwid;
} ompt_record_abstract_t;

typedef struct ompt_record_thread_begin_t {
  ompt_thread_t thread_type;
} ompt_record_thread_begin_t;

typedef struct ompt_record_parallel_begin_t {
  ompt_id_t encountering_task_id;
  ompt_id_t parallel_id;
  unsigned int requested_parallelism;
  int flags;
  const void *codeptr_ra;
} ompt_record_parallel_begin_t;

typedef struct ompt_record_parallel_end_t {
  ompt_id_t parallel_id;
  ompt_id_t encountering_task_id;
  int flags;
  const void *codeptr_ra;
} ompt_record_parallel_end_t;

typedef struct ompt_record_work_t {
  ompt_work_t work_type;
  ompt_scope_endpoint_t endpoint;
  ompt_id_t parallel_id;
  ompt_id_t task_id;
  uint64_t count;
  const void *codeptr_ra;
} ompt_record_work_t;

typedef struct ompt_record_dispatch_t {
  ompt_id_t parallel_id;
  ompt_id_t task_id;
  ompt_dispatch_t kind;
  ompt_data_t instance;
} ompt_record_dispatch_t;

typedef struct ompt_record_task_create_t {
  ompt_id_t encountering_task_id;
  ompt_id_t new_task_id;
  int flags;
  int has_dependences;
  const void *codeptr_ra;
} ompt_record_task_create_t;

typedef struct ompt_record_dependences_t {
  ompt_id_t task_id;
  ompt_dependence_t dep;
  int ndeps;
} ompt_record_dependences_t;

typedef struct ompt_record_task_dependence_t {
  ompt_id_t src_task_id;
  ompt_id_t sink_task_id;
} ompt_record_task_dependence_t;

typedef struct ompt_record_task_schedule_t {
  ompt_id_t prior_task_id;
  ompt_task_status_t prior_task_status;
  ompt_id_t next_task_id;
} ompt_record_task_schedule_t;

typedef struct ompt_record_implicit_task_t {
  ompt_scope_endpoint_t endpoint;
  ompt_id_t parallel_id;
  ompt_id_t task_id;
  unsigned int actual_parallelism;
  unsigned int index;
  int flags;
} ompt_record_implicit_task_t;

typedef struct ompt_record_masked_t {
  ompt_scope_endpoint_t endpoint;
  ompt_id_t parallel_id;
  ompt_id_t task_id;
  const void *codeptr_ra;
} ompt_record_masked_t;

typedef struct ompt_record_sync_region_t {
  ompt_sync_region_t kind;
  ompt_scope_endpoint_t endpoint;
  ompt_id_t parallel_id;
  ompt_id_t task_id;
  const void *codeptr_ra;
} ompt_record_sync_region_t;

typedef struct ompt_record_mutex_acquire_t {
  ompt_mutex_t kind;
  unsigned int hint;
  unsigned int impl;
  ompt_wait_id_t wait_id;
  const void *codeptr_ra;
} ompt_record_mutex_acquire_t;

typedef struct ompt_record_mutex_t {
  ompt_mutex_t kind;
  ompt_wait_id_t wait_id;
  const void *codeptr_ra;
} ompt_record_mutex_t;

typedef struct ompt_record_nest_lock_t {
  ompt_scope_endpoint_t endpoint;
  ompt_wait_id_t wait_id;
  const void *codeptr_ra;
} ompt_record_nest_lock_t;

typedef struct ompt_record_flush_t {
  const void *codeptr_ra;
} ompt_record_flush_t;

typedef struct ompt_record_cancel_t {
  ompt_id_t task_id;
  int flags;
  const void *codeptr_ra;
} ompt_record_cancel_t;

typedef struct ompt_record_target_data_op_t {
  ompt_id_t host_op_id;
  ompt_target_data_op_t optype;
  void *src_addr;
  int src_device_num;
  void *dest_addr;
  int dest_device_num;
  size_t bytes;
  ompt_device_time_t end_time;
  const void *codeptr_ra;
} ompt_record_target_data_op_t;

typedef struct ompt_record_target_t {
  ompt_target_t kind;
  ompt_scope_endpoint_t endpoint;
  int device_num;
  ompt_id_t task_id;
  ompt_id_t target_id;
  const void *codeptr_ra;
} ompt_record_target_t;

typedef struct ompt_record_target_map_t {
  ompt_id_t target_id;
  unsigned int nitems;
  void **host_addr;
  void **device_addr;
  size_t *bytes;
  unsigned int *mapping_flags;
  const void *codeptr_ra;
} ompt_record_target_map_t;

typedef struct ompt_record_target_kernel_t {
  ompt_id_t host_op_id;
  unsigned int requested_num_teams;
  unsigned int granted_num_teams;
  ompt_device_time_t end_time;
} ompt_record_target_kernel_t;

typedef struct ompt_record_control_tool_t {
  uint64_t command;
  uint64_t modifier;
  const void *codeptr_ra;
} ompt_record_control_tool_t;

typedef struct ompt_record_error_t {
  ompt_severity_t severity;
  const char *message;
  size_t length;
  const void *codeptr_ra;
} ompt_record_error_t;

/* The names of OpenMP 6.0. */
typedef ompt_record_target_t ompt_record_target_emi_t;
typedef ompt_record_target_data_op_t ompt_record_target_data_op_emi_t;
typedef ompt_record_target_map_t ompt_record_target_map_emi_t;
typedef ompt_record_target_kernel_t ompt_record_target_submit_emi_t;

/* The part of a ompt_record_ompt_t that depends on its event. */
typedef union ompt_any_record_ompt_t {
  /* Of ompt_callback_thread_begin. */
  ompt_record_thread_begin_t thread_begin;
  /* Of ompt_callback_parallel_begin. */
  ompt_record_parallel_begin_t parallel_begin;
  /* Of ompt_callback_parallel_end. */
  ompt_record_parallel_end_t parallel_end;
  /* Of ompt_callback_work. */
  ompt_record_work_t work;
  /* Of ompt_callback_dispatch. */
  ompt_record_dispatch_t dispatch;
  /* Of ompt_callback_task_create. */
  ompt_record_task_create_t task_create;
  /* Of ompt_callback_dependences. */
  ompt_record_dependences_t dependences;
  /* Of ompt_callback_task_dependence. */
  ompt_record_task_dependence_t task_dependence;
  /* Of ompt_callback_task_schedule. */
  ompt_record_task_schedule_t task_schedule;
  /* Of ompt_callback_implicit_task. */
  ompt_record_implicit_task_t implicit_task;
  /* Of ompt_callback_masked. */
  ompt_record_masked_t masked;
  /* Of ompt_callback_sync_region, ompt_callback_sync_region_wait and ompt_callback_reduction. */
  ompt_record_sync_region_t sync_region;
  /* Of ompt_callback_mutex_acquire and ompt_callback_lock_init. */
  ompt_record_mutex_acquire_t mutex_acquire;
  /* Of ompt_callback_mutex_acquired, ompt_callback_mutex_released and ompt_callback_lock_destroy. */
  ompt_record_mutex_t mutex;
  /* Of ompt_callback_nest_lock. */
  ompt_record_nest_lock_t nest_lock;
  /* Of ompt_callback_flush. */
  ompt_record_flush_t flush;
  /* Of ompt_callback_cancel. */
  ompt_record_cancel_t cancel;
  /* Of ompt_callback_target and ompt_callback_target_emi. */
  ompt_record_target_t target;
  /* Of ompt_callback_target_data_op and ompt_callback_target_data_op_emi. */
  ompt_record_target_data_op_t target_data_op;
  /* Of ompt_callback_target_map and ompt_callback_target_map_emi. */
  ompt_record_target_map_t target_map;
  /* Of ompt_callback_target_submit and ompt_callback_target_submit_emi. */
  ompt_record_target_kernel_t target_kernel;
  /* As target, by OpenMP 6.0's name. */
  ompt_record_target_t target_emi;
  /* As target_data_op, by OpenMP 6.0's name. */
  ompt_record_target_data_op_t target_data_op_emi;
  /* As target_map, by OpenMP 6.0's name. */
  ompt_record_target_map_t target_map_emi;
  /* As target_kernel, by OpenMP 6.0's name. */
  ompt_record_target_kernel_t target_submit_emi;
  /* Of ompt_callback_control_tool. */
  ompt_record_control_tool_t control_tool;
  /* Of ompt_callback_error; OpenMP 6.0 has this member, and no device writes the record. */
  ompt_record_error_t error;
} ompt_any_record_ompt_t;

/* A standard trace record (ompt_record_ompt_t, 4.4.3.4). */
typedef struct ompt_record_ompt_t {
  /* Which event, and so which member of record. */
  ompt_callbacks_t type;
  /* When, by the device's clock. */
  ompt_device_time_t time;
  /* The thread, as the device numbers them. */
  ompt_id_t thread_id;
  /* The target region. */
  ompt_id_t target_id;
  /* The rest. */
  ompt_any_record_ompt_t record;
} ompt_record_ompt_t;

/* ---- Entry points of the host, by the lookup that the initialiser is given (4.6.1) ---- */

/* steps through the states; 0 at the end (4.6.1.1). */
typedef int (*ompt_enumerate_states_t)(int current_state, int *next_state, const char **next_state_name);

/* steps through the implementations of mutual exclusion; 0 at the end (4.6.1.2). */
typedef int (*ompt_enumerate_mutex_impls_t)(int current_impl, int *next_impl, const char **next_impl_name);

/* registers a callback, or removes it by null (4.6.1.3). */
typedef ompt_set_result_t (*ompt_set_callback_t)(ompt_callbacks_t event, ompt_callback_t callback);

/* 1 and the callback if one is registered, else 0 (4.6.1.4). */
typedef int (*ompt_get_callback_t)(ompt_callbacks_t event, ompt_callback_t *callback);

/* the thread's data word, null on a thread that is none of OpenMP's (4.6.1.5). */
typedef ompt_data_t *(*ompt_get_thread_data_t)(void);

/* the number of processors of the device (4.6.1.6). */
typedef int (*ompt_get_num_procs_t)(void);

/* the number of places (4.6.1.7). */
typedef int (*ompt_get_num_places_t)(void);

/* the processors of a place: writes at most ids_size, answers how many there are (4.6.1.8). */
typedef int (*ompt_get_place_proc_ids_t)(int place_num, int ids_size, int *ids);

/* the thread's place, or -1 if it is not bound (4.6.1.9). */
typedef int (*ompt_get_place_num_t)(void);

/* the places of the thread's partition: writes at most place_nums_size, answers how many there are
 * (4.6.1.10). */
typedef int (*ompt_get_partition_place_nums_t)(int place_nums_size, int *place_nums);

/* the processor on which the thread runs, or -1 (4.6.1.11). */
typedef int (*ompt_get_proc_id_t)(void);

/* the thread's ompt_state_t and what it waits for (4.6.1.12). */
typedef int (*ompt_get_state_t)(ompt_wait_id_t *wait_id);

/* an enclosing parallel region: 2 available, 1 exists but not now, 0 none (4.6.1.13). */
typedef int (*ompt_get_parallel_info_t)(int ancestor_level, ompt_data_t **parallel_data, int *team_size);

/* an ancestor task: 2 available, 1 exists but not now, 0 none (4.6.1.14). */
typedef int (*ompt_get_task_info_t)(
    int ancestor_level,
    int *flags,
    ompt_data_t **task_data,
    ompt_frame_t **task_frame,
    ompt_data_t **parallel_data,
    int *thread_num);

/* the task's memory, block by block; 0 at the last (4.6.1.15). */
typedef int (*ompt_get_task_memory_t)(void **addr, size_t *size, int block);

/* the target region that the thread is in; 0 if there is none (4.6.1.16). */
typedef int (*ompt_get_target_info_t)(uint64_t *device_num, ompt_id_t *target_id, ompt_id_t *host_op_id);

/* the number of devices (4.6.1.17). */
typedef int (*ompt_get_num_devices_t)(void);

/* a number that no other call in this process has got (4.6.1.18). */
typedef uint64_t (*ompt_get_unique_id_t)(void);

/* ends the tool's activity at once: its finaliser runs, no event follows (4.6.1.19). */
typedef void (*ompt_finalize_tool_t)(void);

/* ---- Entry points of a device, by the lookup of device_initialize (4.6.2) ---- */

/* the number of processors of the device (4.6.2.1). */
typedef int (*ompt_get_device_num_procs_t)(ompt_device_t *device);

/* the device's clock (4.6.2.2). */
typedef ompt_device_time_t (*ompt_get_device_time_t)(ompt_device_t *device);

/* a time of the device's clock as omp_get_wtime counts, in seconds (4.6.2.3). */
typedef double (*ompt_translate_time_t)(ompt_device_t *device, ompt_device_time_t time);

/* turns records of an event on or off; 0 as etype means all (4.6.2.4). */
typedef ompt_set_result_t (*ompt_set_trace_ompt_t)(
    ompt_device_t *device,
    unsigned int enable,
    unsigned int etype);

/* turns native records on or off (4.6.2.5). */
typedef ompt_set_result_t (*ompt_set_trace_native_t)(ompt_device_t *device, int enable, int flags);

/* how many trace buffers the tool may be asked for before one comes back, and which size is recommended for
 * each (OpenMP 6.0, section 37.6). */
typedef void (*ompt_get_buffer_limits_t)(
    ompt_device_t *device,
    int *max_concurrent_allocs,
    size_t *recommended_bytes);

/* starts the trace; 1 on success (4.6.2.6). */
typedef int (*ompt_start_trace_t)(
    ompt_device_t *device,
    ompt_callback_buffer_request_t request,
    ompt_callback_buffer_complete_t complete);

/* pauses (1) or continues (0) the trace; 1 on success (4.6.2.7). */
typedef int (*ompt_pause_trace_t)(ompt_device_t *device, int begin_pause);

/* has all pending records handed over; 1 on success (4.6.2.8). */
typedef int (*ompt_flush_trace_t)(ompt_device_t *device);

/* flushes and stops the trace; 1 on success (4.6.2.9). */
typedef int (*ompt_stop_trace_t)(ompt_device_t *device);

/* moves a cursor to the next record; 0 at the end (4.6.2.10). */
typedef int (*ompt_advance_buffer_cursor_t)(
    ompt_device_t *device,
    ompt_buffer_t *buffer,
    size_t size,
    ompt_buffer_cursor_t current,
    ompt_buffer_cursor_t *next);

/* the kind of the record at a cursor (4.6.2.11). */
typedef ompt_record_t (*ompt_get_record_type_t)(ompt_buffer_t *buffer, ompt_buffer_cursor_t current);

/* the record at a cursor, null if it is no OMPT record (4.6.2.12). */
typedef ompt_record_ompt_t *(*ompt_get_record_ompt_t)(ompt_buffer_t *buffer, ompt_buffer_cursor_t current);

/* the native record at a cursor, null if it is none (4.6.2.13). */
typedef void *(*ompt_get_record_native_t)(
    ompt_buffer_t *buffer,
    ompt_buffer_cursor_t current,
    ompt_id_t *host_op_id);

/* the abstract view of a native record, null if there is none (4.6.2.14). */
typedef ompt_record_abstract_t *(*ompt_get_record_abstract_t)(void *native_record);

/* ---- Lists, for macros that do something for each ---- */

/* (event, type of its callback, number) */
#define FOREACH_OMPT_HOST_EVENT(macro) \
  macro(ompt_callback_thread_begin, ompt_callback_thread_begin_t, 1) \
  macro(ompt_callback_thread_end, ompt_callback_thread_end_t, 2) \
  macro(ompt_callback_parallel_begin, ompt_callback_parallel_begin_t, 3) \
  macro(ompt_callback_parallel_end, ompt_callback_parallel_end_t, 4) \
  macro(ompt_callback_task_create, ompt_callback_task_create_t, 5) \
  macro(ompt_callback_task_schedule, ompt_callback_task_schedule_t, 6) \
  macro(ompt_callback_implicit_task, ompt_callback_implicit_task_t, 7) \
  macro(ompt_callback_control_tool, ompt_callback_control_tool_t, 11) \
  macro(ompt_callback_sync_region_wait, ompt_callback_sync_region_t, 16) \
  macro(ompt_callback_mutex_released, ompt_callback_mutex_t, 17) \
  macro(ompt_callback_dependences, ompt_callback_dependences_t, 18) \
  macro(ompt_callback_task_dependence, ompt_callback_task_dependence_t, 19) \
  macro(ompt_callback_work, ompt_callback_work_t, 20) \
  macro(ompt_callback_masked, ompt_callback_masked_t, 21) \
  macro(ompt_callback_sync_region, ompt_callback_sync_region_t, 23) \
  macro(ompt_callback_lock_init, ompt_callback_mutex_acquire_t, 24) \
  macro(ompt_callback_lock_destroy, ompt_callback_mutex_t, 25) \
  macro(ompt_callback_mutex_acquire, ompt_callback_mutex_acquire_t, 26) \
  macro(ompt_callback_mutex_acquired, ompt_callback_mutex_t, 27) \
  macro(ompt_callback_nest_lock, ompt_callback_nest_lock_t, 28) \
  macro(ompt_callback_flush, ompt_callback_flush_t, 29) \
  macro(ompt_callback_cancel, ompt_callback_cancel_t, 30) \
  macro(ompt_callback_reduction, ompt_callback_sync_region_t, 31) \
  macro(ompt_callback_dispatch, ompt_callback_dispatch_t, 32) \
  macro(ompt_callback_error, ompt_callback_error_t, 37)

#define FOREACH_OMPT_DEVICE_EVENT(macro) \
  macro(ompt_callback_device_initialize, ompt_callback_device_initialize_t, 12) \
  macro(ompt_callback_device_finalize, ompt_callback_device_finalize_t, 13) \
  macro(ompt_callback_device_load, ompt_callback_device_load_t, 14) \
  macro(ompt_callback_device_unload, ompt_callback_device_unload_t, 15)

#define FOREACH_OMPT_NOEMI_EVENT(macro) \
  macro(ompt_callback_target, ompt_callback_target_t, 8) \
  macro(ompt_callback_target_data_op, ompt_callback_target_data_op_t, 9) \
  macro(ompt_callback_target_submit, ompt_callback_target_submit_t, 10) \
  macro(ompt_callback_target_map, ompt_callback_target_map_t, 22)

#define FOREACH_OMPT_EMI_EVENT(macro) \
  macro(ompt_callback_target_emi, ompt_callback_target_emi_t, 33) \
  macro(ompt_callback_target_data_op_emi, ompt_callback_target_data_op_emi_t, 34) \
  macro(ompt_callback_target_submit_emi, ompt_callback_target_submit_emi_t, 35) \
  macro(ompt_callback_target_map_emi, ompt_callback_target_map_emi_t, 36)

#define FOREACH_OMPT_50_TARGET_EVENT(macro) FOREACH_OMPT_DEVICE_EVENT(macro) FOREACH_OMPT_NOEMI_EVENT(macro)
#define FOREACH_OMPT_51_TARGET_EVENT(macro) FOREACH_OMPT_DEVICE_EVENT(macro) FOREACH_OMPT_EMI_EVENT(macro)
#define FOREACH_OMPT_51_EVENT(macro) FOREACH_OMPT_HOST_EVENT(macro) FOREACH_OMPT_51_TARGET_EVENT(macro)
#define FOREACH_OMPT_EVENT(macro) \
  FOREACH_OMPT_HOST_EVENT(macro) FOREACH_OMPT_50_TARGET_EVENT(macro) FOREACH_OMPT_EMI_EVENT(macro)

/* (state, number) */
#define FOREACH_OMPT_STATE(macro) \
  macro(ompt_state_work_serial, 0x000) \
  macro(ompt_state_work_parallel, 0x001) \
  macro(ompt_state_work_reduction, 0x002) \
  macro(ompt_state_work_free_agent, 0x003) \
  macro(ompt_state_work_induction, 0x004) \
  macro(ompt_state_wait_barrier, 0x010) \
  macro(ompt_state_wait_barrier_implicit_parallel, 0x011) \
  macro(ompt_state_wait_barrier_implicit_workshare, 0x012) \
  macro(ompt_state_wait_barrier_implicit, 0x013) \
  macro(ompt_state_wait_barrier_explicit, 0x014) \
  macro(ompt_state_wait_barrier_implementation, 0x015) \
  macro(ompt_state_wait_barrier_teams, 0x016) \
  macro(ompt_state_wait_taskwait, 0x020) \
  macro(ompt_state_wait_taskgroup, 0x021) \
  macro(ompt_state_wait_mutex, 0x040) \
  macro(ompt_state_wait_lock, 0x041) \
  macro(ompt_state_wait_critical, 0x042) \
  macro(ompt_state_wait_atomic, 0x043) \
  macro(ompt_state_wait_ordered, 0x044) \
  macro(ompt_state_wait_target, 0x080) \
  macro(ompt_state_wait_target_map, 0x081) \
  macro(ompt_state_wait_target_update, 0x082) \
  macro(ompt_state_idle, 0x100) \
  macro(ompt_state_overhead, 0x101) \
  macro(ompt_state_undefined, 0x102)

/* (entry point of the host) */
#define FOREACH_OMPT_INQUIRY_FN(macro) \
  macro(ompt_enumerate_states) \
  macro(ompt_enumerate_mutex_impls) \
  macro(ompt_set_callback) \
  macro(ompt_get_callback) \
  macro(ompt_get_thread_data) \
  macro(ompt_get_num_procs) \
  macro(ompt_get_num_places) \
  macro(ompt_get_place_proc_ids) \
  macro(ompt_get_place_num) \
  macro(ompt_get_partition_place_nums) \
  macro(ompt_get_proc_id) \
  macro(ompt_get_state) \
  macro(ompt_get_parallel_info) \
  macro(ompt_get_task_info) \
  macro(ompt_get_task_memory) \
  macro(ompt_get_target_info) \
  macro(ompt_get_num_devices) \
  macro(ompt_get_unique_id) \
  macro(ompt_finalize_tool)

/* ---- OMPD: what debugger and library exchange (5.3) ---- */

/* A size in bytes (ompd_size_t, 5.3.1). */
typedef uint64_t ompd_size_t;

/* What a thread waits for (ompd_wait_id_t, 5.3.2). */
typedef uint64_t ompd_wait_id_t;

/* An unsigned address in the program (ompd_addr_t, 5.3.3). */
typedef uint64_t ompd_addr_t;

/* A signed number that may also hold an address (ompd_word_t, 5.3.3). */
typedef int64_t ompd_word_t;

/* A segment of an address (ompd_seg_t, 5.3.3): the value for addresses without segments. */
typedef uint64_t ompd_seg_t;
#define ompd_segment_none 0

/* A kind of device (ompd_device_t, 5.3.6). */
typedef uint64_t ompd_device_t;

/* A kind of native thread identifier (ompd_thread_id_t, 5.3.7). */
typedef uint64_t ompd_thread_id_t;

/* The number of an ICV, which only the library gives a meaning (ompd_icv_id_t, 5.3.10). */
typedef uint64_t ompd_icv_id_t;
#define ompd_icv_undefined 0

/* What every function of the library answers (ompd_rc_t, 5.3.12). */
typedef enum ompd_rc_t {
  ompd_rc_ok = 0,
  ompd_rc_unavailable = 1,
  ompd_rc_stale_handle = 2,
  ompd_rc_bad_input = 3,
  ompd_rc_error = 4,
  ompd_rc_unsupported = 5,
  ompd_rc_needs_state_tracking = 6,
  ompd_rc_incompatible = 7,
  ompd_rc_device_read_error = 8,
  ompd_rc_device_write_error = 9,
  ompd_rc_nomem = 10,
  ompd_rc_incomplete = 11,
  ompd_rc_callback_error = 12,
  ompd_rc_incompatible_handle = 13 /* Of OpenMP 6.0: the handle does not fit the scope. */
} ompd_rc_t;

/* What a handle describes, and what an ICV belongs to (ompd_scope_t, 5.3.9). */
typedef enum ompd_scope_t {
  ompd_scope_global = 1,
  ompd_scope_address_space = 2,
  ompd_scope_thread = 3,
  ompd_scope_parallel = 4,
  ompd_scope_implicit_task = 5,
  ompd_scope_task = 6,
  ompd_scope_teams = 7, /* Of OpenMP 6.0: the implicit parallel region of a team of a league. */
  ompd_scope_target = 8 /* Of OpenMP 6.0: the implicit parallel region of a target region. */
} ompd_scope_t;

/* What made a team: the value of the ICV team-generator-var (ompd_team_generator_t, OpenMP 6.0, section
 * 39.13). */
typedef enum ompd_team_generator_t {
  ompd_generator_program = 0,
  ompd_generator_parallel = 1,
  ompd_generator_teams = 2,
  ompd_generator_target = 3
} ompd_team_generator_t;

/* An address in the program (ompd_address_t, 5.3.4). */
typedef struct ompd_address_t {
  /* The segment, or ompd_segment_none. */
  ompd_seg_t segment;
  /* The address within it. */
  ompd_addr_t address;
} ompd_address_t;

/* A frame of a task (ompd_frame_info_t, 5.3.5). */
typedef struct ompd_frame_info_t {
  /* Where the frame lies. */
  ompd_address_t frame_address;
  /* An ompt_frame_flag_t. */
  ompd_word_t frame_flag;
} ompd_frame_info_t;

/* How large the basic types of C are in the program, in bytes (ompd_device_type_sizes_t, 5.3.13). */
typedef struct ompd_device_type_sizes_t {
  /* sizeof(char) */
  uint8_t sizeof_char;
  /* sizeof(short) */
  uint8_t sizeof_short;
  /* sizeof(int) */
  uint8_t sizeof_int;
  /* sizeof(long) */
  uint8_t sizeof_long;
  /* sizeof(long long) */
  uint8_t sizeof_long_long;
  /* sizeof(void *) */
  uint8_t sizeof_pointer;
} ompd_device_type_sizes_t;

/* The library's handle of a process or device (ompd_address_space_handle_t, 5.3.8). */
typedef struct _ompd_aspace_handle ompd_address_space_handle_t;

/* The library's handle of a thread (ompd_thread_handle_t, 5.3.8). */
typedef struct _ompd_thread_handle ompd_thread_handle_t;

/* The library's handle of a parallel region (ompd_parallel_handle_t, 5.3.8). */
typedef struct _ompd_parallel_handle ompd_parallel_handle_t;

/* The library's handle of a task (ompd_task_handle_t, 5.3.8). */
typedef struct _ompd_task_handle ompd_task_handle_t;

/* The debugger's own name for a process or device (ompd_address_space_context_t, 5.3.11). */
typedef struct _ompd_aspace_cont ompd_address_space_context_t;

/* The debugger's own name for a thread (ompd_thread_context_t, 5.3.11). */
typedef struct _ompd_thread_cont ompd_thread_context_t;

/* Kinds of native thread identifiers: pthread_t, and what gettid() answers. */
#ifndef OMPD_THREAD_ID_PTHREAD
#define OMPD_THREAD_ID_PTHREAD ((ompd_thread_id_t)0)
#endif
#ifndef OMPD_THREAD_ID_LWP
#define OMPD_THREAD_ID_LWP ((ompd_thread_id_t)1)
#endif
/* The kind of devices that the library knows: host devices, which are known by their numbers of 4 or 8 bytes. */
#ifndef OMPD_DEVICE_KIND_HOST
#define OMPD_DEVICE_KIND_HOST ((ompd_device_t)1)
#endif

/* ---- OMPD: the debugger's functions (5.4) ---- */

/* gives the library memory (5.4.1.1). */
typedef ompd_rc_t (*ompd_callback_memory_alloc_fn_t)(ompd_size_t nbytes, void **ptr);

/* takes it back (5.4.1.2). */
typedef ompd_rc_t (*ompd_callback_memory_free_fn_t)(void *ptr);

/* finds the debugger's name for a thread by its native identifier (5.4.2.1). */
typedef ompd_rc_t (*ompd_callback_get_thread_context_for_thread_id_fn_t)(
    ompd_address_space_context_t *address_space_context,
    ompd_thread_id_t kind,
    ompd_size_t sizeof_thread_id,
    const void *thread_id,
    ompd_thread_context_t **thread_context);

/* tells the sizes of C's types in the program (5.4.2.2). */
typedef ompd_rc_t (*ompd_callback_sizeof_fn_t)(
    ompd_address_space_context_t *address_space_context,
    ompd_device_type_sizes_t *sizes);

/* finds the address of a symbol (5.4.3.1). */
typedef ompd_rc_t (*ompd_callback_symbol_addr_fn_t)(
    ompd_address_space_context_t *address_space_context,
    ompd_thread_context_t *thread_context,
    const char *symbol_name,
    ompd_address_t *symbol_addr,
    const char *file_name);

/* reads the program's memory, bytes or a string (5.4.3.2). */
typedef ompd_rc_t (*ompd_callback_memory_read_fn_t)(
    ompd_address_space_context_t *address_space_context,
    ompd_thread_context_t *thread_context,
    const ompd_address_t *addr,
    ompd_size_t nbytes,
    void *buffer);

/* writes the program's memory (5.4.3.3). */
typedef ompd_rc_t (*ompd_callback_memory_write_fn_t)(
    ompd_address_space_context_t *address_space_context,
    ompd_thread_context_t *thread_context,
    const ompd_address_t *addr,
    ompd_size_t nbytes,
    const void *buffer);

/* converts between the byte orders of program and library (5.4.4). */
typedef ompd_rc_t (*ompd_callback_device_host_fn_t)(
    ompd_address_space_context_t *address_space_context,
    const void *input,
    ompd_size_t unit_size,
    ompd_size_t count,
    void *output);

/* prints for the user (5.4.5). */
typedef ompd_rc_t (*ompd_callback_print_string_fn_t)(const char *string, int category);

/* All of them, as the debugger hands them to ompd_initialize (ompd_callbacks_t, 5.4.6). */
typedef struct ompd_callbacks_t {
  /* Gives memory. */
  ompd_callback_memory_alloc_fn_t alloc_memory;
  /* Takes memory back. */
  ompd_callback_memory_free_fn_t free_memory;
  /* Prints for the user. */
  ompd_callback_print_string_fn_t print_string;
  /* Tells the sizes of types. */
  ompd_callback_sizeof_fn_t sizeof_type;
  /* Finds symbols. */
  ompd_callback_symbol_addr_fn_t symbol_addr_lookup;
  /* Reads bytes. */
  ompd_callback_memory_read_fn_t read_memory;
  /* Writes bytes. */
  ompd_callback_memory_write_fn_t write_memory;
  /* Reads a string up to its end. */
  ompd_callback_memory_read_fn_t read_string;
  /* Converts what was read. */
  ompd_callback_device_host_fn_t device_to_host;
  /* Converts numbers that are written to the program. */
  ompd_callback_device_host_fn_t host_to_device;
  /* Finds threads. */
  ompd_callback_get_thread_context_for_thread_id_fn_t get_thread_context_for_thread_id;
} ompd_callbacks_t;

/* ---- OMPD: the library's functions (5.5) ---- */

/* Starts the library (5.5.1.1). */
ompd_rc_t ompd_initialize(ompd_word_t api_version, const ompd_callbacks_t *callbacks);

/* The version of the interface that the library speaks, as a value of _OPENMP (5.5.1.2). */
ompd_rc_t ompd_get_api_version(ompd_word_t *version);

/* What the library is; it keeps the string (5.5.1.3). */
ompd_rc_t ompd_get_version_string(const char **string);

/* Ends the library's work (5.5.1.4). */
ompd_rc_t ompd_finalize(void);

/* Begins the work on a process or core file (5.5.2.1). */
ompd_rc_t ompd_process_initialize(
    ompd_address_space_context_t *context,
    ompd_address_space_handle_t **handle);

/* Begins the work on a device of a process (5.5.2.2). */
ompd_rc_t ompd_device_initialize(
    ompd_address_space_handle_t *process_handle,
    ompd_address_space_context_t *device_context,
    ompd_device_t kind,
    ompd_size_t sizeof_id,
    void *id,
    ompd_address_space_handle_t **device_handle);

/* Releases a handle (5.5.2.3). */
ompd_rc_t ompd_rel_address_space_handle(ompd_address_space_handle_t *handle);

/* Which OpenMP the program has, as a value of _OPENMP (5.5.4.1). */
ompd_rc_t ompd_get_omp_version(ompd_address_space_handle_t *address_space, ompd_word_t *omp_version);

/* The same for people; the string is the debugger's to free (5.5.4.2). */
ompd_rc_t ompd_get_omp_version_string(ompd_address_space_handle_t *address_space, const char **string);

/* A thread of a region by its number (5.5.5.1). */
ompd_rc_t ompd_get_thread_in_parallel(
    ompd_parallel_handle_t *parallel_handle,
    int thread_num,
    ompd_thread_handle_t **thread_handle);

/* A thread by its native identifier (5.5.5.2). */
ompd_rc_t ompd_get_thread_handle(
    ompd_address_space_handle_t *handle,
    ompd_thread_id_t kind,
    ompd_size_t sizeof_thread_id,
    const void *thread_id,
    ompd_thread_handle_t **thread_handle);

/* Releases a handle (5.5.5.3). */
ompd_rc_t ompd_rel_thread_handle(ompd_thread_handle_t *thread_handle);

/* Orders two threads (5.5.5.4). */
ompd_rc_t ompd_thread_handle_compare(
    ompd_thread_handle_t *thread_handle_1,
    ompd_thread_handle_t *thread_handle_2,
    int *cmp_value);

/* A thread's native identifier (5.5.5.5). */
ompd_rc_t ompd_get_thread_id(
    ompd_thread_handle_t *thread_handle,
    ompd_thread_id_t kind,
    ompd_size_t sizeof_thread_id,
    void *thread_id);

/* The region that a thread executes (5.5.6.1). */
ompd_rc_t ompd_get_curr_parallel_handle(
    ompd_thread_handle_t *thread_handle,
    ompd_parallel_handle_t **parallel_handle);

/* The region around a region (5.5.6.2). */
ompd_rc_t ompd_get_enclosing_parallel_handle(
    ompd_parallel_handle_t *parallel_handle,
    ompd_parallel_handle_t **enclosing_parallel_handle);

/* The region around a task (5.5.6.3). */
ompd_rc_t ompd_get_task_parallel_handle(
    ompd_task_handle_t *task_handle,
    ompd_parallel_handle_t **task_parallel_handle);

/* Releases a handle (5.5.6.4). */
ompd_rc_t ompd_rel_parallel_handle(ompd_parallel_handle_t *parallel_handle);

/* Orders two regions (5.5.6.5). */
ompd_rc_t ompd_parallel_handle_compare(
    ompd_parallel_handle_t *parallel_handle_1,
    ompd_parallel_handle_t *parallel_handle_2,
    int *cmp_value);

/* The task that a thread executes (5.5.7.1). */
ompd_rc_t ompd_get_curr_task_handle(ompd_thread_handle_t *thread_handle, ompd_task_handle_t **task_handle);

/* The task that generated a task (5.5.7.2). */
ompd_rc_t ompd_get_generating_task_handle(
    ompd_task_handle_t *task_handle,
    ompd_task_handle_t **generating_task_handle);

/* The task on whose stack a task is executed (5.5.7.3). */
ompd_rc_t ompd_get_scheduling_task_handle(
    ompd_task_handle_t *task_handle,
    ompd_task_handle_t **scheduling_task_handle);

/* An implicit task of a region by its thread's number (5.5.7.4). */
ompd_rc_t ompd_get_task_in_parallel(
    ompd_parallel_handle_t *parallel_handle,
    int thread_num,
    ompd_task_handle_t **task_handle);

/* Releases a handle (5.5.7.5). */
ompd_rc_t ompd_rel_task_handle(ompd_task_handle_t *task_handle);

/* Orders two tasks (5.5.7.6). */
ompd_rc_t ompd_task_handle_compare(
    ompd_task_handle_t *task_handle_1,
    ompd_task_handle_t *task_handle_2,
    int *cmp_value);

/* The function of a task's code (5.5.7.7). */
ompd_rc_t ompd_get_task_function(ompd_task_handle_t *task_handle, ompd_address_t *entry_point);

/* Where a task's frames begin and end (5.5.7.8). */
ompd_rc_t ompd_get_task_frame(
    ompd_task_handle_t *task_handle,
    ompd_frame_info_t *exit_frame,
    ompd_frame_info_t *enter_frame);

/* Steps through the states (5.5.7.9). */
ompd_rc_t ompd_enumerate_states(
    ompd_address_space_handle_t *address_space_handle,
    ompd_word_t current_state,
    ompd_word_t *next_state,
    const char **next_state_name,
    ompd_word_t *more_enums);

/* A thread's state, and what it waits for (5.5.7.10). */
ompd_rc_t ompd_get_state(ompd_thread_handle_t *thread_handle, ompd_word_t *state, ompd_wait_id_t *wait_id);

/* The variables that control the runtime, NAME=value, up to a null pointer (5.5.8.1). */
ompd_rc_t ompd_get_display_control_vars(
    ompd_address_space_handle_t *address_space_handle,
    const char *const **control_vars);

/* Gives that list back (5.5.8.2). */
ompd_rc_t ompd_rel_display_control_vars(const char *const **control_vars);

/* Steps through the ICVs (5.5.9.1). */
ompd_rc_t ompd_enumerate_icvs(
    ompd_address_space_handle_t *handle,
    ompd_icv_id_t current,
    ompd_icv_id_t *next_id,
    const char **next_icv_name,
    ompd_scope_t *next_scope,
    int *more);

/* An ICV as a number (5.5.9.2). */
ompd_rc_t ompd_get_icv_from_scope(
    void *handle,
    ompd_scope_t scope,
    ompd_icv_id_t icv_id,
    ompd_word_t *icv_value);

/* An ICV as a string, which is the debugger's to free (5.5.9.3). */
ompd_rc_t ompd_get_icv_string_from_scope(
    void *handle,
    ompd_scope_t scope,
    ompd_icv_id_t icv_id,
    const char **icv_string);

/* The word that a tool keeps with a thread, region or task (5.5.9.4). */
ompd_rc_t ompd_get_tool_data(void *handle, ompd_scope_t scope, ompd_word_t *value, ompd_address_t *ptr);

/* ---- OMPD: in the program (5.2, 5.6) ---- */

/* The paths of libraries for this program, up to a null pointer; valid from the call of ompd_dll_locations_valid() on (5.2.2). */
extern const char **ompd_dll_locations;
void ompd_dll_locations_valid(void);

/* Called at these points where OMP_DEBUG is enabled, so that debuggers can stop there (5.6). */
void ompd_bp_parallel_begin(void);
void ompd_bp_parallel_end(void);
void ompd_bp_task_begin(void);
void ompd_bp_task_end(void);
void ompd_bp_thread_begin(void);
void ompd_bp_thread_end(void);
void ompd_bp_device_begin(void);
void ompd_bp_device_end(void);

/* ---- OMPD: ferromp's own functions ---- */

/* What OpenMP 5.1 has no function for: lists of threads, tasks and regions, and who has arrived at a barrier. Other libraries do not have
 * these functions; define FERROMP_OMPD_EXTENSIONS before this header is included to see them. Addresses are those of the program. A list
 * lies in memory of the debugger's and is given back by ferromp_ompd_free(); of an empty one the pointer is null. */
#ifdef FERROMP_OMPD_EXTENSIONS

/* The state of a task. */
typedef enum ferromp_ompd_task_state_t {
  ferromp_ompd_task_waits = 0,
  ferromp_ompd_task_queued = 1,
  ferromp_ompd_task_running = 2,
  ferromp_ompd_task_suspended = 3,
  ferromp_ompd_task_finished = 4
} ferromp_ompd_task_state_t;

/* A thread of OpenMP's. */
typedef struct ferromp_ompd_thread_t {
  /* The thread's number in the kernel. */
  uint64_t lwp;
  /* The thread's pthread_t. */
  uint64_t pthread;
  /* The task that the thread executes. If it is 0, the following fields of task and team are as well. */
  uint64_t task;
  /* The slot in the team. */
  uint64_t member;
  /* The team of the region that the thread executes. */
  uint64_t team;
  /* The wait identifier; 0 outside of mutual exclusion. */
  uint64_t wait_id;
  /* The thread's number in clang's programs. */
  int32_t gtid;
  /* The thread number; -1 where there is no team. */
  int32_t tid;
  /* ompt_thread_t */
  int32_t kind;
  /* ompt_state_t; -1 where states are not kept. */
  int32_t state;
  /* The device that the thread belongs to; -1 for the host. */
  int32_t device;
  /* How many regions are around it; -1 where there is no team. */
  int32_t level;
} ferromp_ompd_thread_t;

/* A task. */
typedef struct ferromp_ompd_task_t {
  /* The header. */
  uint64_t task;
  /* The task that generated the task, or encountered its region; 0 if there is none. */
  uint64_t parent;
  /* The team of the region around it. */
  uint64_t team;
  /* The outlined function of the task's code; 0 if there is none. */
  uint64_t function;
  /* Where its construct was encountered; 0 where that is not kept. */
  uint64_t creation;
  /* ompt_task_flag_t */
  int32_t flags;
  /* One of ferromp_ompd_task_waits, ferromp_ompd_task_queued, ferromp_ompd_task_running,
   * ferromp_ompd_task_suspended, ferromp_ompd_task_finished. */
  int32_t state;
  /* The thread that executes it, or has set it aside, as clang's programs know it; -1 if none has begun it. */
  int32_t executor;
  /* The priority clause's value. */
  int32_t priority;
  /* Generations below its implicit task. */
  int32_t depth;
  /* 0. */
  int32_t reserved;
} ferromp_ompd_task_t;

/* A parallel region. */
typedef struct ferromp_ompd_parallel_t {
  /* The team. */
  uint64_t team;
  /* The team of the enclosing region; 0 if there is none. */
  uint64_t parent;
  /* The task that encountered the construct; 0 for the implicit region of a thread's or a target region's
   * initial task. */
  uint64_t encountering;
  /* The outlined function of the region's code; 0 if there is none. */
  uint64_t function;
  /* Where the construct was encountered; 0 where that is not kept. */
  uint64_t codeptr;
  /* How many threads it has. */
  int32_t threads;
  /* omp_get_level */
  int32_t level;
  /* omp_get_active_level */
  int32_t active_level;
  /* ompt_parallel_flag_t; -1 where that is not kept. */
  int32_t flags;
  /* The device that executes it; -1 for the host. */
  int32_t device;
  /* 0. */
  int32_t reserved;
} ferromp_ompd_parallel_t;

/* A thread of a region, and the barriers of the region that it has come to, counted by the team since it was
 * made. */
typedef struct ferromp_ompd_arrival_t {
  /* The thread number. */
  int32_t tid;
  /* The thread's number in clang's programs. */
  int32_t gtid;
  /* The last barrier that the thread has passed. */
  uint64_t passed;
  /* The last barrier that the thread has arrived at. If this is a later one than passed, the thread waits
   * there. If other threads have arrived at a later one, they wait for this thread. At the end of the region
   * the two are the same. */
  uint64_t arrived;
} ferromp_ompd_arrival_t;

/* All threads of an address space. */
ompd_rc_t ferromp_ompd_get_threads(
    ompd_address_space_handle_t *address_space,
    ferromp_ompd_thread_t **records,
    ompd_size_t *count);

/* All tasks of an address space: initial, implicit, explicit and target tasks, queued ones too. */
ompd_rc_t ferromp_ompd_get_tasks(
    ompd_address_space_handle_t *address_space,
    ferromp_ompd_task_t **records,
    ompd_size_t *count);

/* All regions under way in an address space. */
ompd_rc_t ferromp_ompd_get_parallels(
    ompd_address_space_handle_t *address_space,
    ferromp_ompd_parallel_t **records,
    ompd_size_t *count);

/* The threads of a region, with the barriers that they have come to. */
ompd_rc_t ferromp_ompd_get_arrivals(
    ompd_parallel_handle_t *parallel_handle,
    ferromp_ompd_arrival_t **records,
    ompd_size_t *count);

/* Which thread has what another one waits for, by the number by which clang's programs know it; -1 for
 * nobody, -2 if that is not known. */
ompd_rc_t ferromp_ompd_get_lock_owner(
    ompd_address_space_handle_t *address_space,
    uint64_t wait_id,
    int32_t *gtid);

/* A handle of the thread that the kernel knows by that number. */
ompd_rc_t ferromp_ompd_thread_handle(
    ompd_address_space_handle_t *address_space,
    uint64_t lwp,
    ompd_thread_handle_t **thread_handle);

/* A handle of the task of a record. */
ompd_rc_t ferromp_ompd_task_handle(
    ompd_address_space_handle_t *address_space,
    uint64_t task,
    ompd_task_handle_t **task_handle);

/* A handle of the region of a record. */
ompd_rc_t ferromp_ompd_parallel_handle(
    ompd_address_space_handle_t *address_space,
    uint64_t team,
    ompd_parallel_handle_t **parallel_handle);

/* Gives a list back; null is none. */
ompd_rc_t ferromp_ompd_free(void *list);

#endif

#ifdef __cplusplus
}
#endif

#endif
