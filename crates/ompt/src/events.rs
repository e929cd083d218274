//! The table of OMPT's events: all 37 of OpenMP 5.1 with their numbers and argument lists, and the
//! open enumeration [`Event`] made from it. OpenMP 5.1, sections 4.4.2 and 4.5.2.

use core::ffi::c_int;

/// Hands the table of events to a macro.
///
/// `ompt::for_each_event! { m }` expands to `m! { {…} {…} … }` with one brace group an event:
///
/// ```text
/// { ThreadBegin, thread_begin, 1, "ompt_callback_thread_begin",
///   (thread_type: ompt::Thread, thread_data: *mut ompt::Data) }
/// ```
///
/// and `-> core::ffi::c_int` after the arguments of the only event that returns a value,
/// `control_tool`. Types are written with full paths, so nothing need be imported. A macro that
/// takes the table:
///
/// ```
/// macro_rules! count {
///     ($( { $camel:ident, $snake:ident, $id:literal, $name:literal,
///           ( $( $arg:ident : $ty:ty ),* ) $( -> $ret:ty )? } )*) => {
///         [ $( $name ),* ].len()
///     };
/// }
/// assert_eq!(ompt::for_each_event! { count }, 37);
/// ```
#[macro_export]
macro_rules! for_each_event {
    ($($callback:ident)::+) => {
        $($callback)::+! {
            { ThreadBegin, thread_begin, 1, "ompt_callback_thread_begin",
              (thread_type: $crate::Thread, thread_data: *mut $crate::Data) }
            { ThreadEnd, thread_end, 2, "ompt_callback_thread_end",
              (thread_data: *mut $crate::Data) }
            { ParallelBegin, parallel_begin, 3, "ompt_callback_parallel_begin",
              (encountering_task_data: *mut $crate::Data,
               encountering_task_frame: *const $crate::Frame,
               parallel_data: *mut $crate::Data,
               requested_parallelism: ::core::ffi::c_uint,
               flags: ::core::ffi::c_int,
               codeptr_ra: *const ::core::ffi::c_void) }
            { ParallelEnd, parallel_end, 4, "ompt_callback_parallel_end",
              (parallel_data: *mut $crate::Data,
               encountering_task_data: *mut $crate::Data,
               flags: ::core::ffi::c_int,
               codeptr_ra: *const ::core::ffi::c_void) }
            { TaskCreate, task_create, 5, "ompt_callback_task_create",
              (encountering_task_data: *mut $crate::Data,
               encountering_task_frame: *const $crate::Frame,
               new_task_data: *mut $crate::Data,
               flags: ::core::ffi::c_int,
               has_dependences: ::core::ffi::c_int,
               codeptr_ra: *const ::core::ffi::c_void) }
            { TaskSchedule, task_schedule, 6, "ompt_callback_task_schedule",
              (prior_task_data: *mut $crate::Data,
               prior_task_status: $crate::TaskStatus,
               next_task_data: *mut $crate::Data) }
            { ImplicitTask, implicit_task, 7, "ompt_callback_implicit_task",
              (endpoint: $crate::ScopeEndpoint,
               parallel_data: *mut $crate::Data,
               task_data: *mut $crate::Data,
               actual_parallelism: ::core::ffi::c_uint,
               index: ::core::ffi::c_uint,
               flags: ::core::ffi::c_int) }
            { Target, target, 8, "ompt_callback_target",
              (kind: $crate::Target,
               endpoint: $crate::ScopeEndpoint,
               device_num: ::core::ffi::c_int,
               task_data: *mut $crate::Data,
               target_id: $crate::Id,
               codeptr_ra: *const ::core::ffi::c_void) }
            { TargetDataOp, target_data_op, 9, "ompt_callback_target_data_op",
              (target_id: $crate::Id,
               host_op_id: $crate::Id,
               optype: $crate::TargetDataOp,
               src_addr: *mut ::core::ffi::c_void,
               src_device_num: ::core::ffi::c_int,
               dest_addr: *mut ::core::ffi::c_void,
               dest_device_num: ::core::ffi::c_int,
               bytes: usize,
               codeptr_ra: *const ::core::ffi::c_void) }
            { TargetSubmit, target_submit, 10, "ompt_callback_target_submit",
              (target_id: $crate::Id,
               host_op_id: $crate::Id,
               requested_num_teams: ::core::ffi::c_uint) }
            { ControlTool, control_tool, 11, "ompt_callback_control_tool",
              (command: u64,
               modifier: u64,
               arg: *mut ::core::ffi::c_void,
               codeptr_ra: *const ::core::ffi::c_void) -> ::core::ffi::c_int }
            { DeviceInitialize, device_initialize, 12, "ompt_callback_device_initialize",
              (device_num: ::core::ffi::c_int,
               device_type: *const ::core::ffi::c_char,
               device: *mut $crate::Device,
               lookup: ::core::option::Option<$crate::FunctionLookup>,
               documentation: *const ::core::ffi::c_char) }
            { DeviceFinalize, device_finalize, 13, "ompt_callback_device_finalize",
              (device_num: ::core::ffi::c_int) }
            { DeviceLoad, device_load, 14, "ompt_callback_device_load",
              (device_num: ::core::ffi::c_int,
               filename: *const ::core::ffi::c_char,
               offset_in_file: i64,
               vma_in_file: *mut ::core::ffi::c_void,
               bytes: usize,
               host_addr: *mut ::core::ffi::c_void,
               device_addr: *mut ::core::ffi::c_void,
               module_id: u64) }
            { DeviceUnload, device_unload, 15, "ompt_callback_device_unload",
              (device_num: ::core::ffi::c_int, module_id: u64) }
            { SyncRegionWait, sync_region_wait, 16, "ompt_callback_sync_region_wait",
              (kind: $crate::SyncRegion,
               endpoint: $crate::ScopeEndpoint,
               parallel_data: *mut $crate::Data,
               task_data: *mut $crate::Data,
               codeptr_ra: *const ::core::ffi::c_void) }
            { MutexReleased, mutex_released, 17, "ompt_callback_mutex_released",
              (kind: $crate::Mutex,
               wait_id: $crate::WaitId,
               codeptr_ra: *const ::core::ffi::c_void) }
            { Dependences, dependences, 18, "ompt_callback_dependences",
              (task_data: *mut $crate::Data,
               deps: *const $crate::Dependence,
               ndeps: ::core::ffi::c_int) }
            { TaskDependence, task_dependence, 19, "ompt_callback_task_dependence",
              (src_task_data: *mut $crate::Data, sink_task_data: *mut $crate::Data) }
            { Work, work, 20, "ompt_callback_work",
              (work_type: $crate::Work,
               endpoint: $crate::ScopeEndpoint,
               parallel_data: *mut $crate::Data,
               task_data: *mut $crate::Data,
               count: u64,
               codeptr_ra: *const ::core::ffi::c_void) }
            { Masked, masked, 21, "ompt_callback_masked",
              (endpoint: $crate::ScopeEndpoint,
               parallel_data: *mut $crate::Data,
               task_data: *mut $crate::Data,
               codeptr_ra: *const ::core::ffi::c_void) }
            { TargetMap, target_map, 22, "ompt_callback_target_map",
              (target_id: $crate::Id,
               nitems: ::core::ffi::c_uint,
               host_addr: *mut *mut ::core::ffi::c_void,
               device_addr: *mut *mut ::core::ffi::c_void,
               bytes: *mut usize,
               mapping_flags: *mut ::core::ffi::c_uint,
               codeptr_ra: *const ::core::ffi::c_void) }
            { SyncRegion, sync_region, 23, "ompt_callback_sync_region",
              (kind: $crate::SyncRegion,
               endpoint: $crate::ScopeEndpoint,
               parallel_data: *mut $crate::Data,
               task_data: *mut $crate::Data,
               codeptr_ra: *const ::core::ffi::c_void) }
            { LockInit, lock_init, 24, "ompt_callback_lock_init",
              (kind: $crate::Mutex,
               hint: ::core::ffi::c_uint,
               mutex_impl: ::core::ffi::c_uint,
               wait_id: $crate::WaitId,
               codeptr_ra: *const ::core::ffi::c_void) }
            { LockDestroy, lock_destroy, 25, "ompt_callback_lock_destroy",
              (kind: $crate::Mutex,
               wait_id: $crate::WaitId,
               codeptr_ra: *const ::core::ffi::c_void) }
            { MutexAcquire, mutex_acquire, 26, "ompt_callback_mutex_acquire",
              (kind: $crate::Mutex,
               hint: ::core::ffi::c_uint,
               mutex_impl: ::core::ffi::c_uint,
               wait_id: $crate::WaitId,
               codeptr_ra: *const ::core::ffi::c_void) }
            { MutexAcquired, mutex_acquired, 27, "ompt_callback_mutex_acquired",
              (kind: $crate::Mutex,
               wait_id: $crate::WaitId,
               codeptr_ra: *const ::core::ffi::c_void) }
            { NestLock, nest_lock, 28, "ompt_callback_nest_lock",
              (endpoint: $crate::ScopeEndpoint,
               wait_id: $crate::WaitId,
               codeptr_ra: *const ::core::ffi::c_void) }
            { Flush, flush, 29, "ompt_callback_flush",
              (thread_data: *mut $crate::Data, codeptr_ra: *const ::core::ffi::c_void) }
            { Cancel, cancel, 30, "ompt_callback_cancel",
              (task_data: *mut $crate::Data,
               flags: ::core::ffi::c_int,
               codeptr_ra: *const ::core::ffi::c_void) }
            { Reduction, reduction, 31, "ompt_callback_reduction",
              (kind: $crate::SyncRegion,
               endpoint: $crate::ScopeEndpoint,
               parallel_data: *mut $crate::Data,
               task_data: *mut $crate::Data,
               codeptr_ra: *const ::core::ffi::c_void) }
            { Dispatch, dispatch, 32, "ompt_callback_dispatch",
              (parallel_data: *mut $crate::Data,
               task_data: *mut $crate::Data,
               kind: $crate::Dispatch,
               instance: $crate::Data) }
            { TargetEmi, target_emi, 33, "ompt_callback_target_emi",
              (kind: $crate::Target,
               endpoint: $crate::ScopeEndpoint,
               device_num: ::core::ffi::c_int,
               task_data: *mut $crate::Data,
               target_task_data: *mut $crate::Data,
               target_data: *mut $crate::Data,
               codeptr_ra: *const ::core::ffi::c_void) }
            { TargetDataOpEmi, target_data_op_emi, 34, "ompt_callback_target_data_op_emi",
              (endpoint: $crate::ScopeEndpoint,
               target_task_data: *mut $crate::Data,
               target_data: *mut $crate::Data,
               host_op_id: *mut $crate::Id,
               optype: $crate::TargetDataOp,
               src_addr: *mut ::core::ffi::c_void,
               src_device_num: ::core::ffi::c_int,
               dest_addr: *mut ::core::ffi::c_void,
               dest_device_num: ::core::ffi::c_int,
               bytes: usize,
               codeptr_ra: *const ::core::ffi::c_void) }
            { TargetSubmitEmi, target_submit_emi, 35, "ompt_callback_target_submit_emi",
              (endpoint: $crate::ScopeEndpoint,
               target_data: *mut $crate::Data,
               host_op_id: *mut $crate::Id,
               requested_num_teams: ::core::ffi::c_uint) }
            { TargetMapEmi, target_map_emi, 36, "ompt_callback_target_map_emi",
              (target_data: *mut $crate::Data,
               nitems: ::core::ffi::c_uint,
               host_addr: *mut *mut ::core::ffi::c_void,
               device_addr: *mut *mut ::core::ffi::c_void,
               bytes: *mut usize,
               mapping_flags: *mut ::core::ffi::c_uint,
               codeptr_ra: *const ::core::ffi::c_void) }
            { Error, error, 37, "ompt_callback_error",
              (severity: $crate::Severity,
               message: *const ::core::ffi::c_char,
               length: usize,
               codeptr_ra: *const ::core::ffi::c_void) }
        }
    };
}

/// The number of an event, as `ompt_set_callback` takes it (`ompt_callbacks_t`, 4.4.2). Its
/// constants are named as in the table: `Event::ThreadBegin`.
#[repr(transparent)]
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Event(pub c_int);

macro_rules! event_enum {
    ($( { $camel:ident, $snake:ident, $id:literal, $name:literal, $args:tt $( -> $ret:ty )? } )*) => {
        // The table's names are the names of types as well, hence the case of types.
        #[allow(non_upper_case_globals)]
        impl Event {
            $( #[doc = concat!("`", $name, "`")] pub const $camel: Event = Event($id); )*

            /// `ompt_callback_master`, the old name of [`Masked`](Self::Masked), deprecated in 5.1.
            pub const Master: Event = Self::Masked;

            /// Every event with its name in C, in the order of the numbers 1 to [`COUNT`](Self::COUNT).
            pub const ALL: &'static [(Event, &'static str)] = &[ $( (Event::$camel, $name) ),* ];

            /// How many events there are; their numbers are 1 to `COUNT`.
            pub const COUNT: usize = Self::ALL.len();
        }
    };
}
for_each_event! { event_enum }

impl Event {
    /// The name in C, or `None` for a number that no event has.
    pub fn name(self) -> Option<&'static str> {
        let index = usize::try_from(self.0).ok()?.checked_sub(1)?;
        Self::ALL.get(index).map(|(_, name)| *name)
    }
}

impl core::fmt::Debug for Event {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self.name() {
            Some(name) => f.write_str(name),
            None => write!(f, "Event({})", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Event;

    #[test]
    fn numbers_run_from_one_without_a_gap() {
        for (index, (event, name)) in Event::ALL.iter().enumerate() {
            assert_eq!(event.0 as usize, index + 1, "{name}");
            assert_eq!(event.name(), Some(*name));
        }
        assert_eq!(Event(0).name(), None);
        assert_eq!(Event(-1).name(), None);
        assert_eq!(Event(38).name(), None);
    }
}
