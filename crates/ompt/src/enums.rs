//! OMPT's enumerations whose values exclude each other; combinable ones are in `flags`, thread
//! states in `state`. OpenMP 5.1, section 4.4.4.

use crate::open_enum;
use core::ffi::c_int;

open_enum! {
    /// What `ompt_set_callback` and the trace setters answer (4.4.4.2).
    pub enum SetResult: c_int => {
        ERROR = 0 "ompt_set_error",
        NEVER = 1 "ompt_set_never",
        IMPOSSIBLE = 2 "ompt_set_impossible",
        SOMETIMES = 3 "ompt_set_sometimes",
        SOMETIMES_PAIRED = 4 "ompt_set_sometimes_paired",
        ALWAYS = 5 "ompt_set_always",
    }
}

open_enum! {
    /// Whether an event begins a scope, ends it, or both at once (4.4.4.11).
    pub enum ScopeEndpoint: c_int => {
        BEGIN = 1 "ompt_scope_begin",
        END = 2 "ompt_scope_end",
        BEGINEND = 3 "ompt_scope_beginend",
    }
}

open_enum! {
    /// The kind of a thread (4.4.4.10).
    pub enum Thread: c_int => {
        INITIAL = 1 "ompt_thread_initial",
        WORKER = 2 "ompt_thread_worker",
        OTHER = 3 "ompt_thread_other",
        UNKNOWN = 4 "ompt_thread_unknown",
    }
}

open_enum! {
    /// The kind of a dispatched piece of work (4.4.4.12).
    pub enum Dispatch: c_int => {
        ITERATION = 1 "ompt_dispatch_iteration",
        SECTION = 2 "ompt_dispatch_section",
        WS_LOOP_CHUNK = 3 "ompt_dispatch_ws_loop_chunk",
        TASKLOOP_CHUNK = 4 "ompt_dispatch_taskloop_chunk",
        DISTRIBUTE_CHUNK = 5 "ompt_dispatch_distribute_chunk",
    }
}

open_enum! {
    /// The kind of a synchronisation region (4.4.4.13).
    pub enum SyncRegion: c_int => {
        /// Deprecated in 5.1.
        BARRIER = 1 "ompt_sync_region_barrier",
        /// Deprecated in 5.1.
        BARRIER_IMPLICIT = 2 "ompt_sync_region_barrier_implicit",
        BARRIER_EXPLICIT = 3 "ompt_sync_region_barrier_explicit",
        BARRIER_IMPLEMENTATION = 4 "ompt_sync_region_barrier_implementation",
        TASKWAIT = 5 "ompt_sync_region_taskwait",
        TASKGROUP = 6 "ompt_sync_region_taskgroup",
        REDUCTION = 7 "ompt_sync_region_reduction",
        BARRIER_IMPLICIT_WORKSHARE = 8 "ompt_sync_region_barrier_implicit_workshare",
        BARRIER_IMPLICIT_PARALLEL = 9 "ompt_sync_region_barrier_implicit_parallel",
        BARRIER_TEAMS = 10 "ompt_sync_region_barrier_teams",
    }
}

open_enum! {
    /// The kind of a data operation of a device (4.4.4.14).
    pub enum TargetDataOp: c_int => {
        ALLOC = 1 "ompt_target_data_alloc",
        TRANSFER_TO_DEVICE = 2 "ompt_target_data_transfer_to_device",
        TRANSFER_FROM_DEVICE = 3 "ompt_target_data_transfer_from_device",
        DELETE = 4 "ompt_target_data_delete",
        ASSOCIATE = 5 "ompt_target_data_associate",
        DISASSOCIATE = 6 "ompt_target_data_disassociate",
        /// Of OpenMP 6.0, where it stands for both directions.
        TRANSFER = 7 "ompt_target_data_transfer",
        /// Of OpenMP 6.0: 5.1 has the routine and no kind for it.
        MEMSET = 8 "ompt_target_data_memset",
        /// Of OpenMP 6.0.
        TRANSFER_RECT = 9 "ompt_target_data_transfer_rect",
        ALLOC_ASYNC = 17 "ompt_target_data_alloc_async",
        TRANSFER_TO_DEVICE_ASYNC = 18 "ompt_target_data_transfer_to_device_async",
        TRANSFER_FROM_DEVICE_ASYNC = 19 "ompt_target_data_transfer_from_device_async",
        DELETE_ASYNC = 20 "ompt_target_data_delete_async",
        /// Of OpenMP 6.0.
        TRANSFER_ASYNC = 23 "ompt_target_data_transfer_async",
        /// Of OpenMP 6.0.
        MEMSET_ASYNC = 24 "ompt_target_data_memset_async",
        /// Of OpenMP 6.0.
        TRANSFER_RECT_ASYNC = 25 "ompt_target_data_transfer_rect_async",
    }
}

open_enum! {
    /// The kind of a worksharing region (4.4.4.15).
    pub enum Work: c_int => {
        LOOP = 1 "ompt_work_loop",
        SECTIONS = 2 "ompt_work_sections",
        SINGLE_EXECUTOR = 3 "ompt_work_single_executor",
        SINGLE_OTHER = 4 "ompt_work_single_other",
        WORKSHARE = 5 "ompt_work_workshare",
        DISTRIBUTE = 6 "ompt_work_distribute",
        TASKLOOP = 7 "ompt_work_taskloop",
        SCOPE = 8 "ompt_work_scope",
        /// Of OpenMP 6.0.
        WORKDISTRIBUTE = 9 "ompt_work_workdistribute",
        /// Of OpenMP 5.2, as the next three.
        LOOP_STATIC = 10 "ompt_work_loop_static",
        LOOP_DYNAMIC = 11 "ompt_work_loop_dynamic",
        LOOP_GUIDED = 12 "ompt_work_loop_guided",
        LOOP_OTHER = 13 "ompt_work_loop_other",
    }
}

open_enum! {
    /// The kind of a mutual exclusion (4.4.4.16).
    pub enum Mutex: c_int => {
        LOCK = 1 "ompt_mutex_lock",
        TEST_LOCK = 2 "ompt_mutex_test_lock",
        NEST_LOCK = 3 "ompt_mutex_nest_lock",
        TEST_NEST_LOCK = 4 "ompt_mutex_test_nest_lock",
        CRITICAL = 5 "ompt_mutex_critical",
        ATOMIC = 6 "ompt_mutex_atomic",
        ORDERED = 7 "ompt_mutex_ordered",
    }
}

open_enum! {
    /// Why a task stopped running (4.4.4.19).
    pub enum TaskStatus: c_int => {
        COMPLETE = 1 "ompt_task_complete",
        YIELD = 2 "ompt_task_yield",
        CANCEL = 3 "ompt_task_cancel",
        DETACH = 4 "ompt_task_detach",
        EARLY_FULFILL = 5 "ompt_task_early_fulfill",
        LATE_FULFILL = 6 "ompt_task_late_fulfill",
        SWITCH = 7 "ompt_task_switch",
        TASKWAIT_COMPLETE = 8 "ompt_taskwait_complete",
    }
}

open_enum! {
    /// The kind of a target region (4.4.4.20).
    pub enum Target: c_int => {
        TARGET = 1 "ompt_target",
        ENTER_DATA = 2 "ompt_target_enter_data",
        EXIT_DATA = 3 "ompt_target_exit_data",
        UPDATE = 4 "ompt_target_update",
        TARGET_NOWAIT = 9 "ompt_target_nowait",
        ENTER_DATA_NOWAIT = 10 "ompt_target_enter_data_nowait",
        EXIT_DATA_NOWAIT = 11 "ompt_target_exit_data_nowait",
        UPDATE_NOWAIT = 12 "ompt_target_update_nowait",
    }
}

open_enum! {
    /// The kind of a task dependence (4.4.4.23).
    pub enum DependenceType: c_int => {
        IN = 1 "ompt_dependence_type_in",
        OUT = 2 "ompt_dependence_type_out",
        INOUT = 3 "ompt_dependence_type_inout",
        MUTEXINOUTSET = 4 "ompt_dependence_type_mutexinoutset",
        SOURCE = 5 "ompt_dependence_type_source",
        SINK = 6 "ompt_dependence_type_sink",
        INOUTSET = 7 "ompt_dependence_type_inoutset",
        OUT_ALL_MEMORY = 34 "ompt_dependence_type_out_all_memory",
        INOUT_ALL_MEMORY = 35 "ompt_dependence_type_inout_all_memory",
    }
}

open_enum! {
    /// How bad the error is that an `error` directive reports (4.4.4.24).
    pub enum Severity: c_int => {
        WARNING = 1 "ompt_warning",
        FATAL = 2 "ompt_fatal",
    }
}

open_enum! {
    /// The kind of a trace record (4.4.3.1).
    pub enum Record: c_int => {
        OMPT = 1 "ompt_record_ompt",
        NATIVE = 2 "ompt_record_native",
        INVALID = 3 "ompt_record_invalid",
    }
}

open_enum! {
    /// The class of a native trace record (4.4.3.2).
    pub enum RecordNative: c_int => {
        INFO = 1 "ompt_record_native_info",
        EVENT = 2 "ompt_record_native_event",
    }
}

open_enum! {
    /// What a program tells its tool by `omp_control_tool` (`omp_control_tool_t`, 3.14); a program
    /// may pass numbers of its own from 64 up.
    pub enum ControlTool: c_int => {
        START = 1 "omp_control_tool_start",
        PAUSE = 2 "omp_control_tool_pause",
        FLUSH = 3 "omp_control_tool_flush",
        END = 4 "omp_control_tool_end",
    }
}

open_enum! {
    /// What `omp_control_tool` answers the program (`omp_control_tool_result_t`, 3.14).
    pub enum ControlToolResult: c_int => {
        NOTOOL = -2 "omp_control_tool_notool",
        NOCALLBACK = -1 "omp_control_tool_nocallback",
        SUCCESS = 0 "omp_control_tool_success",
        IGNORED = 1 "omp_control_tool_ignored",
    }
}
