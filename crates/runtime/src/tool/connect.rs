//! Libraries that report events to the tool themselves: a plug-in for the offload runtime
//! (`ompt_libomptarget_connect`), and LLVM's own offload runtime where a program uses it with this library
//! (`ompt_libomp_connect`). Each asks for the tool's callbacks. This is an extension of OpenMP 5.1. The structure is
//! that of `ompt_start_tool` (§4.2.1), with the library in the tool's place.

use super::active;
use super::entry::{answer, flags_and_data, give_callback, untyped};
use crate::ompt::registry;
use ::ompt::{Callback, Data, Event, InterfaceFn, StartToolResult, TaskFlag};
use std::ffi::{CStr, c_char, c_int};

/// Connects a library, if a tool is active. Its finaliser is called when the tools have been finalised.
/// `initial_device` is 0 for a plug-in, and -1 for LLVM's offload runtime, whose devices are its own.
///
/// # Safety
/// `result` is null, or a structure that stays until its finaliser has run.
pub unsafe fn connect(result: *mut StartToolResult, initial_device: c_int) {
    // SAFETY: the caller keeps to the `# Safety` section.
    let Some(connected) = (unsafe { result.as_mut() }) else { return };
    let Some(initialize) = connected.initialize.filter(|_| registry::has_tool()) else { return };
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { active::add_plug_in(result) };
    let data: *mut Data = &raw mut connected.tool_data;
    // SAFETY: the library's own function. Its result has no meaning here.
    unsafe { initialize(lookup, initial_device, data) };
}

/// The lookup function for connected libraries, as in LLVM's runtime: the tool's callback for the event of this name,
/// null if it has none; the callback of an event by its number; the data of the current tasks.
unsafe extern "C" fn lookup(name: *const c_char) -> InterfaceFn {
    answer! { name;
        b"ompt_get_callback" => get_callback, ::ompt::GetCallback;
        b"ompt_get_task_data" => get_task_data, unsafe extern "C" fn() -> *mut Data;
        b"ompt_get_target_task_data" => get_target_task_data, unsafe extern "C" fn() -> *mut Data;
        // SAFETY: a C string, as for every lookup function (§4.6.3).
        _ => callback_named(unsafe { CStr::from_ptr(name) })
    }
}

/// What stands in the table for an event.
unsafe extern "C" fn get_callback(event: Event, callback: *mut Callback) -> c_int {
    // SAFETY: the caller passes null or a place to write to.
    unsafe { give_callback(event, callback, registry::get) }
}

/// The tool's callback for the event of this name.
fn callback_named(name: &CStr) -> InterfaceFn {
    let event = Event::ALL.iter().find(|(_, known)| known.as_bytes() == name.to_bytes())?.0;
    let callback = registry::get(event);
    // SAFETY: null, or a callback, which the caller casts to its type.
    unsafe { std::mem::transmute::<*mut std::ffi::c_void, InterfaceFn>(callback) }
}

/// The data of the task that has encountered a device construct.
unsafe extern "C" fn get_task_data() -> *mut Data {
    let level = c_int::from(target_task().is_some());
    flags_and_data(level).map_or(std::ptr::null_mut(), |(_, data)| data)
}

/// The data of the construct's target task, which is the current task; null for a construct without one.
unsafe extern "C" fn get_target_task_data() -> *mut Data {
    target_task().unwrap_or(std::ptr::null_mut())
}

fn target_task() -> Option<*mut Data> {
    flags_and_data(0).filter(|(flags, _)| flags & TaskFlag::TARGET.0 as c_int != 0).map(|(_, data)| data)
}
