//! OMPT's entry points on the host: what a tool may ask the runtime (OpenMP 5.1 §4.6.1).
//!
//! | file | entry points |
//! | --- | --- |
//! | `registration.rs` | `ompt_enumerate_states`, `ompt_enumerate_mutex_impls`, `ompt_set_callback`, `ompt_get_callback`, `ompt_finalize_tool` |
//! | `threads.rs` | `ompt_get_thread_data`, `ompt_get_state`, `ompt_get_unique_id`, and those about devices |
//! | `places.rs` | processors and places |
//! | `tasks.rs` | `ompt_get_parallel_info`, `ompt_get_task_info`, `ompt_get_task_memory` |
//!
//! All but those in `registration.rs` are async-signal-safe: they read what belongs to the calling thread and what
//! never changes, take no lock, allocate nothing, and answer whatever the thread was doing when the signal came.

mod places;
mod registration;
mod tasks;
mod threads;

use crate::objects::current;
pub(in crate::ompt) use registration::get_callback;
pub(in crate::ompt) use registration::register;

use crate::objects::structures::Thread;
use ::ompt::InterfaceFn;
use places::{get_num_places, get_num_procs, get_partition_place_nums, get_place_num, get_place_proc_ids, get_proc_id};
use registration::{enumerate_mutex_impls, enumerate_states, finalize_tool, set_callback};
use std::ffi::{CStr, c_char};
use tasks::get_task_memory;
pub(super) use tasks::{get_parallel_info, get_task_info};
use threads::{get_num_devices, get_state, get_target_info, get_unique_id};
pub(super) use threads::{get_thread_data, target_info};

/// Computes what the entry points only look up, before a tool can call one from a signal handler.
pub fn prepare() {
    places::prepare();
}

/// An entry point of type `$ty` as the lookup function gives it: without its type, which the tool gives back to it.
macro_rules! untyped {
    ($function:expr, $ty:ty) => {{
        let function: $ty = $function;
        #[allow(clippy::useless_transmute, reason = "one of the types has no arguments")]
        // SAFETY: a function pointer as a function pointer without its type; the tool casts it back to the type that
        // belongs to the name.
        let untyped = unsafe { std::mem::transmute::<$ty, unsafe extern "C" fn()>(function) };
        Some(untyped)
    }};
}
pub(in crate::ompt) use untyped;

macro_rules! answer {
    ($wanted:expr; $($name:literal => $function:expr, $ty:ty;)*) => {
        match $wanted {
            $($name => untyped!($function, $ty),)*
            _ => None,
        }
    };
}

/// `ompt_function_lookup_t`: finds an entry point by its name; null for a name that does not exist.
///
/// # Safety
/// `name` is null or a C string.
pub unsafe extern "C" fn lookup(name: *const c_char) -> InterfaceFn {
    if name.is_null() {
        return None;
    }
    // SAFETY: the tool passes a C string.
    let name = unsafe { CStr::from_ptr(name) }.to_bytes();
    answer! { name;
        b"ompt_enumerate_states" => enumerate_states, ::ompt::EnumerateStates;
        b"ompt_enumerate_mutex_impls" => enumerate_mutex_impls, ::ompt::EnumerateMutexImpls;
        b"ompt_set_callback" => set_callback, ::ompt::SetCallback;
        b"ompt_get_callback" => get_callback, ::ompt::GetCallback;
        b"ompt_get_thread_data" => get_thread_data, ::ompt::GetThreadData;
        b"ompt_get_num_procs" => get_num_procs, ::ompt::GetNumProcs;
        b"ompt_get_num_places" => get_num_places, ::ompt::GetNumPlaces;
        b"ompt_get_place_proc_ids" => get_place_proc_ids, ::ompt::GetPlaceProcIds;
        b"ompt_get_place_num" => get_place_num, ::ompt::GetPlaceNum;
        b"ompt_get_partition_place_nums" => get_partition_place_nums, ::ompt::GetPartitionPlaceNums;
        b"ompt_get_proc_id" => get_proc_id, ::ompt::GetProcId;
        // As a draft of the interface has it; all other names of the draft that mean the same are the specification's.
        b"ompt_get_procid" => get_proc_id, ::ompt::GetProcId;
        b"ompt_get_state" => get_state, ::ompt::GetState;
        b"ompt_get_parallel_info" => get_parallel_info, ::ompt::GetParallelInfo;
        b"ompt_get_task_info" => get_task_info, ::ompt::GetTaskInfo;
        b"ompt_get_task_memory" => get_task_memory, ::ompt::GetTaskMemory;
        b"ompt_get_target_info" => get_target_info, ::ompt::GetTargetInfo;
        b"ompt_get_num_devices" => get_num_devices, ::ompt::GetNumDevices;
        b"ompt_get_unique_id" => get_unique_id, ::ompt::GetUniqueId;
        b"ompt_finalize_tool" => finalize_tool, ::ompt::FinalizeTool;
    }
}

/// The calling thread's descriptor, if the tool may see it. A thread of the host that runs a device's code meanwhile is
/// what it is outside of that; a device's own threads are none of the host's.
fn this_thread() -> Option<&'static Thread> {
    let thread = current::try_current()?;
    let seen = thread.steps_for().unwrap_or(thread);
    (seen.is_set_up() && seen.device() == crate::objects::thread::HOST).then_some(seen)
}

/// # Safety
/// `place` is null or writable.
unsafe fn write<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: the caller says so.
        unsafe { *place = value };
    }
}
