//! Trace records: the form in which a device reports events in buffers, one structure for each
//! shape of event. OpenMP 5.1, sections 4.4.3 and 4.5.2.

use crate::described;
use crate::*;
use core::ffi::{c_char, c_int, c_uint, c_void};

described! {
    /// What can be said of a native record in general terms (`ompt_record_abstract_t`, 4.4.3.3).
    #[repr(C)]
    #[derive(Copy, Clone, Debug)]
    pub struct RecordAbstract {
        /// Whether it is an event or an information.
        pub rclass: RecordNative,
        /// The device's name for it, a C string.
        pub type_: *const c_char,
        /// When it began, or [`TIME_NONE`].
        pub start_time: DeviceTime,
        /// When it ended, or [`TIME_NONE`].
        pub end_time: DeviceTime,
        /// Where it ran, or [`HWID_NONE`].
        pub hwid: HwId,
    }
}

macro_rules! records {
    ($( $(#[doc = $doc:literal])* $camel:ident { $( $field:ident : $ty:ty ),* $(,)? } )*) => {
        $(
            $(#[doc = $doc])*
            #[repr(C)]
            #[derive(Copy, Clone)]
            pub struct $camel {
                $(
                    #[doc = concat!("As the callback's argument `", stringify!($field), "`, by identifier where that is a data word.")]
                    pub $field: $ty,
                )*
            }

            impl $camel {
                /// The record as data, for the header in C.
                pub const DESCRIPTION: $crate::describe::Structure = $crate::describe::Structure {
                    rust: stringify!($camel),
                    doc: &[],
                    fields: &[ $( $crate::describe::Field { name: stringify!($field), ty: stringify!($ty),
                        doc: &[] } ),* ],
                };
            }
        )*

        /// Every record that goes with a callback, as data.
        pub(crate) const RECORDS: &[$crate::describe::Structure] = &[ $( $camel::DESCRIPTION ),* ];
    };
}

records! {
    /// `ompt_record_thread_begin_t`
    RecordThreadBegin { thread_type: Thread }
    /// `ompt_record_parallel_begin_t`
    RecordParallelBegin {
        encountering_task_id: Id, parallel_id: Id, requested_parallelism: c_uint, flags: c_int,
        codeptr_ra: *const c_void,
    }
    /// `ompt_record_parallel_end_t`
    RecordParallelEnd {
        parallel_id: Id, encountering_task_id: Id, flags: c_int, codeptr_ra: *const c_void,
    }
    /// `ompt_record_work_t`
    RecordWork {
        work_type: Work, endpoint: ScopeEndpoint, parallel_id: Id, task_id: Id, count: u64,
        codeptr_ra: *const c_void,
    }
    /// `ompt_record_dispatch_t`
    RecordDispatch { parallel_id: Id, task_id: Id, kind: Dispatch, instance: Data }
    /// `ompt_record_task_create_t`
    RecordTaskCreate {
        encountering_task_id: Id, new_task_id: Id, flags: c_int, has_dependences: c_int,
        codeptr_ra: *const c_void,
    }
    /// `ompt_record_dependences_t`
    RecordDependences { task_id: Id, dep: Dependence, ndeps: c_int }
    /// `ompt_record_task_dependence_t`
    RecordTaskDependence { src_task_id: Id, sink_task_id: Id }
    /// `ompt_record_task_schedule_t`
    RecordTaskSchedule { prior_task_id: Id, prior_task_status: TaskStatus, next_task_id: Id }
    /// `ompt_record_implicit_task_t`
    RecordImplicitTask {
        endpoint: ScopeEndpoint, parallel_id: Id, task_id: Id, actual_parallelism: c_uint,
        index: c_uint, flags: c_int,
    }
    /// `ompt_record_masked_t`
    RecordMasked {
        endpoint: ScopeEndpoint, parallel_id: Id, task_id: Id, codeptr_ra: *const c_void,
    }
    /// `ompt_record_sync_region_t`
    RecordSyncRegion {
        kind: SyncRegion, endpoint: ScopeEndpoint, parallel_id: Id, task_id: Id,
        codeptr_ra: *const c_void,
    }
    /// `ompt_record_mutex_acquire_t`
    RecordMutexAcquire {
        kind: Mutex, hint: c_uint, mutex_impl: c_uint, wait_id: WaitId, codeptr_ra: *const c_void,
    }
    /// `ompt_record_mutex_t`
    RecordMutex { kind: Mutex, wait_id: WaitId, codeptr_ra: *const c_void }
    /// `ompt_record_nest_lock_t`
    RecordNestLock { endpoint: ScopeEndpoint, wait_id: WaitId, codeptr_ra: *const c_void }
    /// `ompt_record_flush_t`
    RecordFlush { codeptr_ra: *const c_void }
    /// `ompt_record_cancel_t`
    RecordCancel { task_id: Id, flags: c_int, codeptr_ra: *const c_void }
    /// `ompt_record_target_data_op_t`
    RecordTargetDataOp {
        host_op_id: Id, optype: TargetDataOp, src_addr: *mut c_void, src_device_num: c_int,
        dest_addr: *mut c_void, dest_device_num: c_int, bytes: usize, end_time: DeviceTime,
        codeptr_ra: *const c_void,
    }
    /// `ompt_record_target_t`
    RecordTarget {
        kind: Target, endpoint: ScopeEndpoint, device_num: c_int, task_id: Id, target_id: Id,
        codeptr_ra: *const c_void,
    }
    /// `ompt_record_target_map_t`
    RecordTargetMap {
        target_id: Id, nitems: c_uint, host_addr: *mut *mut c_void, device_addr: *mut *mut c_void,
        bytes: *mut usize, mapping_flags: *mut c_uint, codeptr_ra: *const c_void,
    }
    /// `ompt_record_target_kernel_t`
    RecordTargetKernel {
        host_op_id: Id, requested_num_teams: c_uint, granted_num_teams: c_uint,
        end_time: DeviceTime,
    }
    /// `ompt_record_control_tool_t`
    RecordControlTool { command: u64, modifier: u64, codeptr_ra: *const c_void }
    /// `ompt_record_error_t`
    RecordError {
        severity: Severity, message: *const c_char, length: usize, codeptr_ra: *const c_void,
    }
}

described! {
    /// The part of a [`RecordOmpt`] that depends on its event.
    #[repr(C)]
    #[derive(Copy, Clone)]
    pub union RecordBody {
        /// Of [`Event::ThreadBegin`].
        pub thread_begin: RecordThreadBegin,
        /// Of [`Event::ParallelBegin`].
        pub parallel_begin: RecordParallelBegin,
        /// Of [`Event::ParallelEnd`].
        pub parallel_end: RecordParallelEnd,
        /// Of [`Event::Work`].
        pub work: RecordWork,
        /// Of [`Event::Dispatch`].
        pub dispatch: RecordDispatch,
        /// Of [`Event::TaskCreate`].
        pub task_create: RecordTaskCreate,
        /// Of [`Event::Dependences`].
        pub dependences: RecordDependences,
        /// Of [`Event::TaskDependence`].
        pub task_dependence: RecordTaskDependence,
        /// Of [`Event::TaskSchedule`].
        pub task_schedule: RecordTaskSchedule,
        /// Of [`Event::ImplicitTask`].
        pub implicit_task: RecordImplicitTask,
        /// Of [`Event::Masked`].
        pub masked: RecordMasked,
        /// Of [`Event::SyncRegion`], [`Event::SyncRegionWait`] and [`Event::Reduction`].
        pub sync_region: RecordSyncRegion,
        /// Of [`Event::MutexAcquire`] and [`Event::LockInit`].
        pub mutex_acquire: RecordMutexAcquire,
        /// Of [`Event::MutexAcquired`], [`Event::MutexReleased`] and [`Event::LockDestroy`].
        pub mutex: RecordMutex,
        /// Of [`Event::NestLock`].
        pub nest_lock: RecordNestLock,
        /// Of [`Event::Flush`].
        pub flush: RecordFlush,
        /// Of [`Event::Cancel`].
        pub cancel: RecordCancel,
        /// Of [`Event::Target`] and [`Event::TargetEmi`].
        pub target: RecordTarget,
        /// Of [`Event::TargetDataOp`] and [`Event::TargetDataOpEmi`].
        pub target_data_op: RecordTargetDataOp,
        /// Of [`Event::TargetMap`] and [`Event::TargetMapEmi`].
        pub target_map: RecordTargetMap,
        /// Of [`Event::TargetSubmit`] and [`Event::TargetSubmitEmi`].
        pub target_kernel: RecordTargetKernel,
        /// As `target`, by OpenMP 6.0's name.
        pub target_emi: RecordTarget,
        /// As `target_data_op`, by OpenMP 6.0's name.
        pub target_data_op_emi: RecordTargetDataOp,
        /// As `target_map`, by OpenMP 6.0's name.
        pub target_map_emi: RecordTargetMap,
        /// As `target_kernel`, by OpenMP 6.0's name.
        pub target_submit_emi: RecordTargetKernel,
        /// Of [`Event::ControlTool`].
        pub control_tool: RecordControlTool,
        /// Of [`Event::Error`]; OpenMP 6.0 has this member, and no device writes the record.
        pub error: RecordError,
    }
}

described! {
    /// A standard trace record (`ompt_record_ompt_t`, 4.4.3.4).
    #[repr(C)]
    #[derive(Copy, Clone)]
    pub struct RecordOmpt {
        /// Which event, and so which member of `record`.
        pub type_: Event,
        /// When, by the device's clock.
        pub time: DeviceTime,
        /// The thread, as the device numbers them.
        pub thread_id: Id,
        /// The target region.
        pub target_id: Id,
        /// The rest.
        pub record: RecordBody,
    }
}
