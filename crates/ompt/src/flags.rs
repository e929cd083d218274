//! OMPT's enumerations whose values are combined by `|`. C passes them as `int flags`; wrap the
//! integer, as in `TaskFlag(flags)`. OpenMP 5.1, section 4.4.4.

use crate::open_flags;
use core::ffi::c_int;

open_flags! {
    /// What kind of parallel region it is and who invokes its outlined function (4.4.4.21).
    pub enum ParallelFlag: c_int => {
        INVOKER_PROGRAM = 0x0000_0001 "ompt_parallel_invoker_program",
        INVOKER_RUNTIME = 0x0000_0002 "ompt_parallel_invoker_runtime",
        LEAGUE = 0x4000_0000 "ompt_parallel_league",
        TEAM = 0x8000_0000_u32 "ompt_parallel_team",
    }
}

open_flags! {
    /// The kind and the clauses of a task (4.4.4.18).
    pub enum TaskFlag: c_int => {
        INITIAL = 0x0000_0001 "ompt_task_initial",
        IMPLICIT = 0x0000_0002 "ompt_task_implicit",
        EXPLICIT = 0x0000_0004 "ompt_task_explicit",
        TARGET = 0x0000_0008 "ompt_task_target",
        TASKWAIT = 0x0000_0010 "ompt_task_taskwait",
        /// Of OpenMP 6.0, as the next one: of a transparent task.
        IMPORTING = 0x0200_0000 "ompt_task_importing",
        EXPORTING = 0x0400_0000 "ompt_task_exporting",
        UNDEFERRED = 0x0800_0000 "ompt_task_undeferred",
        UNTIED = 0x1000_0000 "ompt_task_untied",
        FINAL = 0x2000_0000 "ompt_task_final",
        MERGEABLE = 0x4000_0000 "ompt_task_mergeable",
        MERGED = 0x8000_0000_u32 "ompt_task_merged",
    }
}

open_flags! {
    /// How a variable is mapped (4.4.4.22).
    pub enum TargetMapFlag: c_int => {
        TO = 0x01 "ompt_target_map_flag_to",
        FROM = 0x02 "ompt_target_map_flag_from",
        ALLOC = 0x04 "ompt_target_map_flag_alloc",
        RELEASE = 0x08 "ompt_target_map_flag_release",
        DELETE = 0x10 "ompt_target_map_flag_delete",
        IMPLICIT = 0x20 "ompt_target_map_flag_implicit",
        /// Of OpenMP 5.2, as the next three.
        ALWAYS = 0x40 "ompt_target_map_flag_always",
        PRESENT = 0x80 "ompt_target_map_flag_present",
        CLOSE = 0x100 "ompt_target_map_flag_close",
        /// The variable and its counterpart are the same memory.
        SHARED = 0x200 "ompt_target_map_flag_shared",
    }
}

open_flags! {
    /// What is cancelled and what the thread did about it (4.4.4.25).
    pub enum CancelFlag: c_int => {
        PARALLEL = 0x01 "ompt_cancel_parallel",
        SECTIONS = 0x02 "ompt_cancel_sections",
        LOOP = 0x04 "ompt_cancel_loop",
        TASKGROUP = 0x08 "ompt_cancel_taskgroup",
        ACTIVATED = 0x10 "ompt_cancel_activated",
        DETECTED = 0x20 "ompt_cancel_detected",
        DISCARDED_TASK = 0x40 "ompt_cancel_discarded_task",
    }
}

open_flags! {
    /// Whose frame an address in a [`Frame`](crate::Frame) belongs to, and how it points into it:
    /// two fields in one integer (4.4.4.29).
    pub enum FrameFlag: c_int => {
        /// The frame of a routine of the runtime; the absence of `APPLICATION`.
        RUNTIME = 0x00 "ompt_frame_runtime",
        APPLICATION = 0x01 "ompt_frame_application",
        CFA = 0x10 "ompt_frame_cfa",
        FRAMEPOINTER = 0x20 "ompt_frame_framepointer",
        STACKADDRESS = 0x30 "ompt_frame_stackaddress",
    }
}

open_flags! {
    /// What native events a device should record (4.4.4.17).
    pub enum NativeMonFlag: c_int => {
        DATA_MOTION_EXPLICIT = 0x01 "ompt_native_data_motion_explicit",
        DATA_MOTION_IMPLICIT = 0x02 "ompt_native_data_motion_implicit",
        KERNEL_INVOCATION = 0x04 "ompt_native_kernel_invocation",
        KERNEL_EXECUTION = 0x08 "ompt_native_kernel_execution",
        DRIVER = 0x10 "ompt_native_driver",
        RUNTIME = 0x20 "ompt_native_runtime",
        OVERHEAD = 0x40 "ompt_native_overhead",
        IDLENESS = 0x80 "ompt_native_idleness",
    }
}
