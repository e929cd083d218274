//! OMPD's types and functions as data: names, fields, arguments and comments. The OMPD part of `include/omp-tools.h` is
//! written from it (`examples/header`), so that the header says in C what the library is.

use ompt::describe::{Alias, Enumeration, Function, Structure};

use crate::*;

/// The names for integers.
pub const ALIASES: &[Alias] = crate::types::ALIASES;

/// The enumerations.
pub const ENUMERATIONS: &[Enumeration] = &[Rc::DESCRIPTION, Scope::DESCRIPTION, TeamGenerator::DESCRIPTION];

/// The structures, but for the table of callbacks.
pub const STRUCTURES: &[Structure] = &[Address::DESCRIPTION, FrameInfo::DESCRIPTION, DeviceTypeSizes::DESCRIPTION];

/// The types that only one side knows: each type in Rust, the tag of its structure in C, its comment.
pub const OPAQUE: &[(&str, &str, &[&str])] = crate::types::OPAQUE;

/// The types of the debugger's functions.
pub const CALLBACK_TYPES: &[Function] = crate::callbacks::CALLBACK_TYPES;

/// The structures of ferromp's own functions.
pub const EXTENSION_STRUCTURES: &[Structure] =
    &[ThreadRecord::DESCRIPTION, TaskRecord::DESCRIPTION, ParallelRecord::DESCRIPTION, ArrivalRecord::DESCRIPTION];

/// The values of [`TaskRecord::state`], with their names in C.
pub const TASK_STATES: [(i32, &str); 5] = [
    (WAITS, "ferromp_ompd_task_waits"),
    (QUEUED, "ferromp_ompd_task_queued"),
    (RUNNING, "ferromp_ompd_task_running"),
    (SUSPENDED, "ferromp_ompd_task_suspended"),
    (FINISHED, "ferromp_ompd_task_finished"),
];

/// Lists functions that the library exports, and sees that each has this type.
macro_rules! exported {
    ($(#[doc = $ldoc:literal])* $list:ident:
        $( $(#[doc = $doc:literal])* $name:ident ( $( $arg:ident : $ty:ty ),* $(,)? ); )*) => {
        $( const _: unsafe extern "C" fn( $( $ty ),* ) -> Rc = crate::$name; )*

        $(#[doc = $ldoc])*
        pub const $list: &[Function] = &[ $( Function {
            name: stringify!($name),
            doc: &[ $( $doc ),* ],
            args: &[ $( (stringify!($arg), stringify!($ty)) ),* ],
            ret: "Rc",
        } ),* ];
    };
}

use std::ffi::{c_char, c_int, c_void};

exported! {
    /// The functions of the specification (5.5).
    FUNCTIONS:
    /// Starts the library (5.5.1.1).
    ompd_initialize(api_version: Word, callbacks: *const Callbacks);
    /// The version of the interface that the library speaks, as a value of _OPENMP (5.5.1.2).
    ompd_get_api_version(version: *mut Word);
    /// What the library is; it keeps the string (5.5.1.3).
    ompd_get_version_string(string: *mut *const c_char);
    /// Ends the library's work (5.5.1.4).
    ompd_finalize();
    /// Begins the work on a process or core file (5.5.2.1).
    ompd_process_initialize(context: *mut AddressSpaceContext, handle: *mut *mut AddressSpaceHandle);
    /// Begins the work on a device of a process (5.5.2.2).
    ompd_device_initialize(
        process_handle: *mut AddressSpaceHandle, device_context: *mut AddressSpaceContext, kind: Device,
            sizeof_id: Size,
        id: *mut c_void, device_handle: *mut *mut AddressSpaceHandle,
    );
    /// Releases a handle (5.5.2.3).
    ompd_rel_address_space_handle(handle: *mut AddressSpaceHandle);
    /// Which OpenMP the program has, as a value of _OPENMP (5.5.4.1).
    ompd_get_omp_version(address_space: *mut AddressSpaceHandle, omp_version: *mut Word);
    /// The same for people; the string is the debugger's to free (5.5.4.2).
    ompd_get_omp_version_string(address_space: *mut AddressSpaceHandle, string: *mut *const c_char);
    /// A thread of a region by its number (5.5.5.1).
    ompd_get_thread_in_parallel(
        parallel_handle: *mut ParallelHandle, thread_num: c_int, thread_handle: *mut *mut ThreadHandle,
    );
    /// A thread by its native identifier (5.5.5.2).
    ompd_get_thread_handle(
        handle: *mut AddressSpaceHandle, kind: ThreadId, sizeof_thread_id: Size, thread_id: *const c_void,
        thread_handle: *mut *mut ThreadHandle,
    );
    /// Releases a handle (5.5.5.3).
    ompd_rel_thread_handle(thread_handle: *mut ThreadHandle);
    /// Orders two threads (5.5.5.4).
    ompd_thread_handle_compare(
        thread_handle_1: *mut ThreadHandle, thread_handle_2: *mut ThreadHandle, cmp_value: *mut c_int,
    );
    /// A thread's native identifier (5.5.5.5).
    ompd_get_thread_id(thread_handle: *mut ThreadHandle, kind: ThreadId, sizeof_thread_id: Size,
        thread_id: *mut c_void);
    /// The region that a thread executes (5.5.6.1).
    ompd_get_curr_parallel_handle(thread_handle: *mut ThreadHandle, parallel_handle: *mut *mut ParallelHandle);
    /// The region around a region (5.5.6.2).
    ompd_get_enclosing_parallel_handle(
        parallel_handle: *mut ParallelHandle, enclosing_parallel_handle: *mut *mut ParallelHandle,
    );
    /// The region around a task (5.5.6.3).
    ompd_get_task_parallel_handle(task_handle: *mut TaskHandle, task_parallel_handle: *mut *mut ParallelHandle);
    /// Releases a handle (5.5.6.4).
    ompd_rel_parallel_handle(parallel_handle: *mut ParallelHandle);
    /// Orders two regions (5.5.6.5).
    ompd_parallel_handle_compare(
        parallel_handle_1: *mut ParallelHandle, parallel_handle_2: *mut ParallelHandle, cmp_value: *mut c_int,
    );
    /// The task that a thread executes (5.5.7.1).
    ompd_get_curr_task_handle(thread_handle: *mut ThreadHandle, task_handle: *mut *mut TaskHandle);
    /// The task that generated a task (5.5.7.2).
    ompd_get_generating_task_handle(task_handle: *mut TaskHandle, generating_task_handle: *mut *mut TaskHandle);
    /// The task on whose stack a task is executed (5.5.7.3).
    ompd_get_scheduling_task_handle(task_handle: *mut TaskHandle, scheduling_task_handle: *mut *mut TaskHandle);
    /// An implicit task of a region by its thread's number (5.5.7.4).
    ompd_get_task_in_parallel(parallel_handle: *mut ParallelHandle, thread_num: c_int,
        task_handle: *mut *mut TaskHandle);
    /// Releases a handle (5.5.7.5).
    ompd_rel_task_handle(task_handle: *mut TaskHandle);
    /// Orders two tasks (5.5.7.6).
    ompd_task_handle_compare(task_handle_1: *mut TaskHandle, task_handle_2: *mut TaskHandle, cmp_value: *mut c_int);
    /// The function of a task's code (5.5.7.7).
    ompd_get_task_function(task_handle: *mut TaskHandle, entry_point: *mut Address);
    /// Where a task's frames begin and end (5.5.7.8).
    ompd_get_task_frame(task_handle: *mut TaskHandle, exit_frame: *mut FrameInfo, enter_frame: *mut FrameInfo);
    /// Steps through the states (5.5.7.9).
    ompd_enumerate_states(
        address_space_handle: *mut AddressSpaceHandle, current_state: Word, next_state: *mut Word,
        next_state_name: *mut *const c_char, more_enums: *mut Word,
    );
    /// A thread's state, and what it waits for (5.5.7.10).
    ompd_get_state(thread_handle: *mut ThreadHandle, state: *mut Word, wait_id: *mut WaitId);
    /// The variables that control the runtime, NAME=value, up to a null pointer (5.5.8.1).
    ompd_get_display_control_vars(
        address_space_handle: *mut AddressSpaceHandle, control_vars: *mut *const *const c_char,
    );
    /// Gives that list back (5.5.8.2).
    ompd_rel_display_control_vars(control_vars: *mut *const *const c_char);
    /// Steps through the ICVs (5.5.9.1).
    ompd_enumerate_icvs(
        handle: *mut AddressSpaceHandle, current: IcvId, next_id: *mut IcvId, next_icv_name: *mut *const c_char,
        next_scope: *mut Scope, more: *mut c_int,
    );
    /// An ICV as a number (5.5.9.2).
    ompd_get_icv_from_scope(handle: *mut c_void, scope: Scope, icv_id: IcvId, icv_value: *mut Word);
    /// An ICV as a string, which is the debugger's to free (5.5.9.3).
    ompd_get_icv_string_from_scope(handle: *mut c_void, scope: Scope, icv_id: IcvId, icv_string: *mut *const c_char);
    /// The word that a tool keeps with a thread, region or task (5.5.9.4).
    ompd_get_tool_data(handle: *mut c_void, scope: Scope, value: *mut Word, ptr: *mut Address);
}

exported! {
    /// Functions of ferromp's own.
    EXTENSIONS:
    /// All threads of an address space.
    ferromp_ompd_get_threads(address_space: *mut AddressSpaceHandle, records: *mut *mut ThreadRecord, count: *mut Size);
    /// All tasks of an address space: initial, implicit, explicit and target tasks, queued ones too.
    ferromp_ompd_get_tasks(address_space: *mut AddressSpaceHandle, records: *mut *mut TaskRecord, count: *mut Size);
    /// All regions under way in an address space.
    ferromp_ompd_get_parallels(address_space: *mut AddressSpaceHandle, records: *mut *mut ParallelRecord,
        count: *mut Size);
    /// The threads of a region, with the barriers that they have come to.
    ferromp_ompd_get_arrivals(parallel_handle: *mut ParallelHandle, records: *mut *mut ArrivalRecord, count: *mut Size);
    /// Which thread has what another one waits for, by the number by which clang's programs know it; -1 for nobody, -2
    /// if that is not known.
    ferromp_ompd_get_lock_owner(address_space: *mut AddressSpaceHandle, wait_id: u64, gtid: *mut i32);
    /// A handle of the thread that the kernel knows by that number.
    ferromp_ompd_thread_handle(address_space: *mut AddressSpaceHandle, lwp: u64, thread_handle: *mut *mut ThreadHandle);
    /// A handle of the task of a record.
    ferromp_ompd_task_handle(address_space: *mut AddressSpaceHandle, task: u64, task_handle: *mut *mut TaskHandle);
    /// A handle of the region of a record.
    ferromp_ompd_parallel_handle(address_space: *mut AddressSpaceHandle, team: u64,
        parallel_handle: *mut *mut ParallelHandle);
    /// Gives a list back; null is none.
    ferromp_ompd_free(list: *mut c_void);
}
