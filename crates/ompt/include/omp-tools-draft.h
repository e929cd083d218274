/*
 * omp-tools-draft.h: the names that a draft of OMPT had before OpenMP 5.0, for tools that were written with them.
 *
 * A name stands here where OpenMP 5.1 has another one for the same thing; it is that thing. What the draft has by the name that it
 * still has is in omp-tools.h. Where a thing itself has changed, the tool has to be changed:
 *
 *   - The initialiser is int (ompt_function_lookup_t lookup, int initial_device_num, ompt_data_t *tool_data), the finaliser
 *     void (ompt_data_t *tool_data).
 *   - The members of ompt_frame_t are words with flags beside them: exit_frame.ptr and enter_frame.ptr.
 *   - A dependence has a word and a type: variable.ptr and dependence_type.
 *   - ompt_sync_region_barrier is told as one of five kinds of barriers, and never as itself.
 *   - ompt_mutex, a kind of mutual exclusion of which nothing is known, is never told, and has no name any more.
 *   - The members of the union in ompt_record_ompt_t have the names of their callbacks.
 *   - There is no event for idle threads, see ompt_callback_idle below.
 */
#ifndef FERROMP_OMP_TOOLS_DRAFT_H
#define FERROMP_OMP_TOOLS_DRAFT_H

#include "omp-tools.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Start and entry points ---- */

typedef ompt_start_tool_result_t ompt_fns_t;
/* The lookup answers "ompt_get_procid" as well as "ompt_get_proc_id". */
typedef ompt_get_proc_id_t ompt_get_procid_t;

/* ---- Events ---- */

#define ompt_callback_task_dependences ompt_callback_dependences
typedef ompt_callback_dependences_t ompt_callback_task_dependences_t;
typedef ompt_dependence_t ompt_task_dependence_t;

/* No event has this number: ompt_set_callback answers ompt_set_error. An idle thread is in ompt_state_idle, and between the end of one
 * implicit task and the begin of the next. */
#define ompt_callback_idle ((ompt_callbacks_t)0)
typedef void (*ompt_callback_idle_t)(ompt_scope_endpoint_t endpoint);

/* ---- Enumerations ---- */

typedef ompt_thread_t ompt_thread_type_t;
typedef ompt_work_t ompt_work_type_t;
typedef ompt_mutex_t ompt_mutex_kind_t;
typedef ompt_sync_region_t ompt_sync_region_kind_t;
typedef ompt_target_t ompt_target_type_t;
typedef ompt_native_mon_flag_t ompt_native_mon_flags_t;
typedef ompt_record_t ompt_record_kind_t;
typedef ompt_record_native_t ompt_record_native_kind_t;
typedef ompt_record_native_t ompt_record_native_class_t;
typedef ompt_device_time_t ompt_target_time_t;

typedef ompt_task_flag_t ompt_task_type_t;
#define ompt_task_others ompt_task_switch

typedef ompt_parallel_flag_t ompt_invoker_t;
#define ompt_invoker_program ompt_parallel_invoker_program
#define ompt_invoker_runtime ompt_parallel_invoker_runtime

typedef ompt_dependence_type_t ompt_task_dependence_flag_t;
#define ompt_task_dependence_type_in ompt_dependence_type_in
#define ompt_task_dependence_type_out ompt_dependence_type_out
#define ompt_task_dependence_type_inout ompt_dependence_type_inout

#define ompt_target_data_transfer_to_dev ompt_target_data_transfer_to_device
#define ompt_target_data_transfer_from_dev ompt_target_data_transfer_from_device
#define ompt_cancel_do ompt_cancel_loop

/* ---- States ---- */

typedef ompt_state_t omp_state_t;
#define omp_state_work_serial ompt_state_work_serial
#define omp_state_work_parallel ompt_state_work_parallel
#define omp_state_work_reduction ompt_state_work_reduction
#define omp_state_wait_barrier ompt_state_wait_barrier
#define omp_state_wait_barrier_implicit_parallel ompt_state_wait_barrier_implicit_parallel
#define omp_state_wait_barrier_implicit_workshare ompt_state_wait_barrier_implicit_workshare
#define omp_state_wait_barrier_implicit ompt_state_wait_barrier_implicit
#define omp_state_wait_barrier_explicit ompt_state_wait_barrier_explicit
#define omp_state_wait_taskwait ompt_state_wait_taskwait
#define omp_state_wait_taskgroup ompt_state_wait_taskgroup
#define omp_state_wait_mutex ompt_state_wait_mutex
#define omp_state_wait_lock ompt_state_wait_lock
#define omp_state_wait_critical ompt_state_wait_critical
#define omp_state_wait_atomic ompt_state_wait_atomic
#define omp_state_wait_ordered ompt_state_wait_ordered
#define omp_state_wait_target ompt_state_wait_target
#define omp_state_wait_target_map ompt_state_wait_target_map
#define omp_state_wait_target_update ompt_state_wait_target_update
#define omp_state_idle ompt_state_idle
#define omp_state_overhead ompt_state_overhead
#define omp_state_undefined ompt_state_undefined

#ifdef __cplusplus
}
#endif

#endif
