//! The trait that a tool implements: one method an event, empty unless overridden, and all events as
//! one enumeration. Both are made from one list. OpenMP 5.1, section 4.5.2.

use crate::implemented::Implemented;
use crate::{CodePtr, DataOp, Device, EventSet, Init, Instance, Loaded, Mappings, Records, Slot, SyncHint, Word};
use ompt::*;
use std::ffi::{CStr, c_int, c_uint, c_void};

/// The list of events in safe form: what each event reports, its name as an [`Event`] and as a method, its arguments
/// for tool `$T`, and the answer of a tool that does not listen, where there is one.
macro_rules! events {
    ($then:ident, $T:ty) => {
        $then! {
            /// A thread comes into being, on that thread, before its other events (4.5.2.1).
            ThreadBegin thread_begin(thread_type: Thread, thread_data: Option<Slot<'a, <$T as Tool>::ThreadData>>);

            /// A thread ends, on that thread (4.5.2.2).
            ThreadEnd thread_end(thread_data: Option<Slot<'a, <$T as Tool>::ThreadData>>);

            /// A parallel region or league begins, on the thread that encounters it; `requested_parallelism` is the
            /// requested number of threads or teams (4.5.2.3).
            ParallelBegin parallel_begin(
                encountering_task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                encountering_task_frame: Option<&'a Frame>,
                parallel_data: Option<Slot<'a, <$T as Tool>::ParallelData>>,
                requested_parallelism: c_uint,
                flags: ParallelFlag,
                codeptr_ra: CodePtr,
            );

            /// A parallel region or league ends, on the thread that encountered it (4.5.2.4).
            ParallelEnd parallel_end(
                parallel_data: Option<Slot<'a, <$T as Tool>::ParallelData>>,
                encountering_task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                flags: ParallelFlag,
                codeptr_ra: CodePtr,
            );

            /// An explicit or target task, or a taskwait with dependences, is made (4.5.2.7).
            TaskCreate task_create(
                encountering_task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                encountering_task_frame: Option<&'a Frame>,
                new_task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                flags: TaskFlag,
                has_dependences: bool,
                codeptr_ra: CodePtr,
            );

            /// The thread leaves one task, for the reason `prior_task_status`, and goes to another, if any
            /// (4.5.2.10).
            TaskSchedule task_schedule(
                prior_task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                prior_task_status: TaskStatus,
                next_task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
            );

            /// An implicit or initial task begins or ends, on the thread that runs it. `index` is the
            /// thread's or team's number, `actual_parallelism` how many there are (0 at the end).
            /// `parallel_data` is absent at the end (4.5.2.11).
            ImplicitTask implicit_task(
                endpoint: ScopeEndpoint,
                parallel_data: Option<Slot<'a, <$T as Tool>::ParallelData>>,
                task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                actual_parallelism: c_uint,
                index: c_uint,
                flags: TaskFlag,
            );

            /// A target region begins or ends; superseded by [`target_emi`](Self::target_emi) (4.5.2.26).
            Target target(
                kind: Target,
                endpoint: ScopeEndpoint,
                device_num: c_int,
                task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                target_id: Id,
                codeptr_ra: CodePtr,
            );

            /// An operation on a device's data; superseded by
            /// [`target_data_op_emi`](Self::target_data_op_emi) (4.5.2.25).
            TargetDataOp target_data_op(target_id: Id, host_op_id: Id, op: DataOp, codeptr_ra: CodePtr);

            /// A kernel is launched; superseded by [`target_submit_emi`](Self::target_submit_emi)
            /// (4.5.2.28).
            TargetSubmit target_submit(target_id: Id, host_op_id: Id, requested_num_teams: c_uint);

            /// The program called `omp_control_tool`; the answer is what that returns (4.5.2.29).
            ControlTool control_tool(command: ControlTool, modifier: u64, arg: *mut c_void, codeptr_ra: CodePtr)
                -> ControlToolResult = ControlToolResult::IGNORED;

            /// A device is initialised; its entry points can be looked up until
            /// [`device_finalize`](Self::device_finalize) (4.5.2.19).
            DeviceInitialize device_initialize(
                device_num: c_int,
                device_type: Option<&'a CStr>,
                device: Device,
                documentation: Option<&'a CStr>,
            );

            /// A device goes (4.5.2.20).
            DeviceFinalize device_finalize(device_num: c_int);

            /// Code was loaded onto a device (4.5.2.21).
            DeviceLoad device_load(device_num: c_int, loaded: Loaded<'a>);

            /// Code was unloaded from a device (4.5.2.22).
            DeviceUnload device_unload(device_num: c_int, module_id: u64);

            /// A task begins or ends to wait inside a synchronisation region (4.5.2.13).
            SyncRegionWait sync_region_wait(
                kind: SyncRegion,
                endpoint: ScopeEndpoint,
                parallel_data: Option<Slot<'a, <$T as Tool>::ParallelData>>,
                task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                codeptr_ra: CodePtr,
            );

            /// A lock, critical section, atomic or ordered region has been left (4.5.2.15).
            MutexReleased mutex_released(kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr);

            /// The dependences of a task that has just been made, or of an `ordered` construct (4.5.2.8).
            Dependences dependences(task_data: Option<Slot<'a, <$T as Tool>::TaskData>>, deps: &'a [Dependence]);

            /// A task must wait for an earlier one (4.5.2.9).
            TaskDependence task_dependence(
                src_task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                sink_task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
            );

            /// A worksharing, distribute or taskloop region begins or ends; `count` is its number of
            /// iterations, sections, … (4.5.2.5).
            Work work(
                work_type: Work,
                endpoint: ScopeEndpoint,
                parallel_data: Option<Slot<'a, <$T as Tool>::ParallelData>>,
                task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                count: u64,
                codeptr_ra: CodePtr,
            );

            /// A masked region begins or ends (4.5.2.12).
            Masked masked(
                endpoint: ScopeEndpoint,
                parallel_data: Option<Slot<'a, <$T as Tool>::ParallelData>>,
                task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                codeptr_ra: CodePtr,
            );

            /// Variables are mapped; superseded by [`target_map_emi`](Self::target_map_emi) (4.5.2.27).
            TargetMap target_map(target_id: Id, mappings: Mappings<'a>, codeptr_ra: CodePtr);

            /// A barrier, taskwait or taskgroup region begins or ends (4.5.2.13). `parallel_data` may be
            /// absent at the end of the barrier that ends the parallel region.
            SyncRegion sync_region(
                kind: SyncRegion,
                endpoint: ScopeEndpoint,
                parallel_data: Option<Slot<'a, <$T as Tool>::ParallelData>>,
                task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                codeptr_ra: CodePtr,
            );

            /// A lock is initialised; `mutex_impl` is one of
            /// [`Runtime::for_each_mutex_impl`](crate::Runtime::for_each_mutex_impl) (4.5.2.14).
            LockInit lock_init(kind: Mutex, hint: SyncHint, mutex_impl: c_uint, wait_id: WaitId, codeptr_ra: CodePtr);

            /// A lock is destroyed (4.5.2.15).
            LockDestroy lock_destroy(kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr);

            /// A thread wants a lock or to enter a critical, atomic or ordered region; it may have to wait
            /// (4.5.2.14).
            MutexAcquire mutex_acquire(kind: Mutex, hint: SyncHint, mutex_impl: c_uint, wait_id: WaitId,
                codeptr_ra: CodePtr);

            /// The thread has acquired the mutex (4.5.2.15).
            MutexAcquired mutex_acquired(kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr);

            /// A nest lock that the task already owned was set once more (begin) or unset but kept (end)
            /// (4.5.2.16).
            NestLock nest_lock(endpoint: ScopeEndpoint, wait_id: WaitId, codeptr_ra: CodePtr);

            /// A flush has been executed (4.5.2.17).
            Flush flush(thread_data: Option<Slot<'a, <$T as Tool>::ThreadData>>, codeptr_ra: CodePtr);

            /// A region is cancelled, a cancellation noticed, or a task discarded (4.5.2.18).
            Cancel cancel(task_data: Option<Slot<'a, <$T as Tool>::TaskData>>, flags: CancelFlag, codeptr_ra: CodePtr);

            /// A task begins or ends to combine values of a reduction (4.5.2.13).
            Reduction reduction(
                kind: SyncRegion,
                endpoint: ScopeEndpoint,
                parallel_data: Option<Slot<'a, <$T as Tool>::ParallelData>>,
                task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                codeptr_ra: CodePtr,
            );

            /// A thread is given a section, an iteration or a chunk (4.5.2.6).
            Dispatch dispatch(
                parallel_data: Option<Slot<'a, <$T as Tool>::ParallelData>>,
                task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                kind: Dispatch,
                instance: Instance,
            );

            /// A target region begins or ends, on the task that encounters it. `target_task_data` is absent
            /// where there is no target task of its own; `target_data` belongs to the region (4.5.2.26).
            TargetEmi target_emi(
                kind: Target,
                endpoint: ScopeEndpoint,
                device_num: c_int,
                task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                target_task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                target_data: Option<Slot<'a>>,
                codeptr_ra: CodePtr,
            );

            /// An operation on a device's data begins or ends; the tool may give it an identifier in
            /// `host_op_id` (4.5.2.25).
            TargetDataOpEmi target_data_op_emi(
                endpoint: ScopeEndpoint,
                target_task_data: Option<Slot<'a, <$T as Tool>::TaskData>>,
                target_data: Option<Slot<'a>>,
                host_op_id: Option<Slot<'a>>,
                op: DataOp,
                codeptr_ra: CodePtr,
            );

            /// The launch of a kernel begins or ends; the tool may give it an identifier in `host_op_id`
            /// (4.5.2.28).
            TargetSubmitEmi target_submit_emi(
                endpoint: ScopeEndpoint,
                target_data: Option<Slot<'a>>,
                host_op_id: Option<Slot<'a>>,
                requested_num_teams: c_uint,
            );

            /// Variables are mapped (4.5.2.27).
            TargetMapEmi target_map_emi(target_data: Option<Slot<'a>>, mappings: Mappings<'a>, codeptr_ra: CodePtr);

            /// An `error` directive was reached at run time (4.5.2.30).
            Error error(severity: Severity, message: Option<&'a CStr>, codeptr_ra: CodePtr);
        }
    };
}

macro_rules! tool_trait {
    ($( $(#[$doc:meta])* $camel:ident $snake:ident( $( $arg:ident : $ty:ty ),* $(,)? )
        $( -> $ret:ty = $answer:expr )?; )*) => {
        /// An OMPT tool; [`#[tool]`](crate::tool) goes on its implementation. The value made by
        /// [`initialize`](Self::initialize) lives in a static from then on; all threads call its
        /// methods at the same time.
        ///
        /// The events whose methods are implemented are registered, no others; an implementation of
        /// [`any`](Self::any) registers all. Arguments that C passes as pointers are options, because
        /// runtimes pass null in more places than the specification lists. A method that panics ends
        /// the program with one line that names the tool.
        #[allow(clippy::too_many_arguments, reason = "as many as the specification gives the event")]
        pub trait Tool: Sync + Sized + 'static {
            /// The tool's name in messages.
            const NAME: &'static str;

            /// The methods that are implemented; [`#[tool]`](crate::tool) looks them up.
            #[doc(hidden)]
            const IMPLEMENTED: Implemented;

            /// What the tool keeps with a thread: `u64` or a `Box`. [`#[tool]`](crate::tool) takes
            /// `u64` where nothing is said.
            type ThreadData: Word;
            /// What it keeps with a parallel region or league; likewise.
            type ParallelData: Word;
            /// What it keeps with a task; likewise.
            type TaskData: Word;

            /// Makes the tool while the runtime starts. No event arrives before it has returned. An
            /// error is printed with the tool's name, and the tool stays inactive.
            fn initialize(init: &Init<Self>) -> Result<Self, String>;

            /// The events with a method that are wanted in this run; called once, after
            /// [`initialize`](Self::initialize).
            fn events(&self) -> EventSet {
                EventSet::ALL
            }

            /// What the runtime answered to the registration of an event; called for each before the
            /// first event arrives.
            fn registered(&self, event: Event, answer: SetResult) {
                let _ = (event, answer);
            }

            /// The runtime ends, or gives the tool up. The last call, if the runtime keeps to the
            /// specification.
            fn finalize(&self) {}

            /// What a device has recorded since [`Device::start_trace`](crate::Device::start_trace): one call a buffer,
            /// on a thread of the runtime's own, with records in the order in which the device has written them
            /// (4.5.2.24). Not an event: it is there whenever a trace was started.
            fn device_records(&self, device_num: c_int, records: Records<'_>) {
                let _ = (device_num, records);
            }

            /// Any event whose own method is not implemented.
            fn any(&self, occurrence: Occurrence<'_, Self>) {
                let _ = occurrence;
            }

            $(
                $(#[$doc])*
                #[allow(clippy::extra_unused_lifetimes, reason = "some arguments borrow, some do not")]
                #[inline(always)]
                fn $snake<'a>(&self, $( $arg: $ty ),*) $( -> $ret )? {
                    self.any(Occurrence::$camel { $( $arg ),* });
                    $( $answer )?
                }
            )*
        }
    };
}

macro_rules! occurrence {
    ($( $(#[$doc:meta])* $camel:ident $snake:ident( $( $arg:ident : $ty:ty ),* $(,)? )
        $( -> $ret:ty = $answer:expr )?; )*) => {
        /// An event with its arguments, as [`Tool::any`] gets it; the methods of [`Tool`] say what each
        /// is. `Debug` prints it in one line.
        pub enum Occurrence<'a, T: Tool> {
            $(
                #[doc = concat!("See [`Tool::", stringify!($snake), "`].")]
                #[allow(missing_docs, reason = "the methods' documentation says what the arguments are")]
                $camel { $( $arg: $ty ),* },
            )*
        }

        impl<T: Tool> Occurrence<'_, T> {
            /// Which event.
            pub fn event(&self) -> Event {
                match self {
                    $( Occurrence::$camel { .. } => Event::$camel, )*
                }
            }
        }

        impl<T: Tool> Copy for Occurrence<'_, T> {}

        impl<T: Tool> Clone for Occurrence<'_, T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T: Tool> std::fmt::Debug for Occurrence<'_, T> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $( Occurrence::$camel { $( $arg ),* } => {
                        f.debug_struct(stringify!($snake)) $( .field(stringify!($arg), $arg) )* .finish()
                    } )*
                }
            }
        }
    };
}

events! { tool_trait, Self }
events! { occurrence, T }
