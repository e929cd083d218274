//! What one of several tools may ask the runtime: the entry points that speak of data words or callbacks, made once a
//! tool. All others are everybody's (`entry`).

use super::words;
use crate::ompt::entry::untyped;
use crate::ompt::{answers, entry};
use crate::tool::end;
use ::ompt::{Callback, Data, Event, Frame, FunctionLookup, Id, InterfaceFn, SetResult};
use std::ffi::{CStr, c_char, c_int, c_void};

/// The lookup function for tool `tool`.
pub fn of(tool: usize) -> FunctionLookup {
    const ALL: [FunctionLookup; super::MOST] =
        [lookup::<0>, lookup::<1>, lookup::<2>, lookup::<3>, lookup::<4>, lookup::<5>, lookup::<6>, lookup::<7>];
    ALL[tool]
}

unsafe extern "C" fn lookup<const TOOL: usize>(name: *const c_char) -> InterfaceFn {
    if name.is_null() {
        return None;
    }
    // SAFETY: the tool passes a C string.
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"ompt_set_callback" => untyped!(set_callback::<TOOL>, ::ompt::SetCallback),
        b"ompt_get_callback" => untyped!(get_callback::<TOOL>, ::ompt::GetCallback),
        b"ompt_get_thread_data" => untyped!(get_thread_data::<TOOL>, ::ompt::GetThreadData),
        b"ompt_get_parallel_info" => untyped!(get_parallel_info::<TOOL>, ::ompt::GetParallelInfo),
        b"ompt_get_task_info" => untyped!(get_task_info::<TOOL>, ::ompt::GetTaskInfo),
        b"ompt_get_target_info" => untyped!(get_target_info::<TOOL>, ::ompt::GetTargetInfo),
        b"ompt_finalize_tool" => untyped!(finalize_tool::<TOOL>, ::ompt::FinalizeTool),
        // SAFETY: as above.
        _ => unsafe { entry::lookup(name) },
    }
}

/// Registers the tool's callback, or removes it (§4.6.1.3). An error for a tool that has been ended.
unsafe extern "C" fn set_callback<const TOOL: usize>(event: Event, callback: Callback) -> SetResult {
    entry::register(TOOL, event, callback, |callback| super::set(TOOL, event, callback))
}

/// The tool's callback for an event (§4.6.1.4).
unsafe extern "C" fn get_callback<const TOOL: usize>(event: Event, callback: *mut Callback) -> c_int {
    if answers::answer(event) == SetResult::ERROR {
        return 0;
    }
    let pointer = super::callback(TOOL, event);
    if pointer.is_null() {
        return 0;
    }
    // SAFETY: the tool passes a place to write to; the pointer is what it once registered.
    unsafe { *callback = std::mem::transmute::<*mut c_void, Callback>(pointer) };
    1
}

/// The tool's word of the thread (§4.6.1.5).
unsafe extern "C" fn get_thread_data<const TOOL: usize>() -> *mut Data {
    // SAFETY: null or the thread's word.
    unsafe { words::of(entry::get_thread_data(), TOOL) }
}

/// An enclosing parallel region with the tool's word (§4.6.1.13).
unsafe extern "C" fn get_parallel_info<const TOOL: usize>(
    level: c_int,
    data: *mut *mut Data,
    size: *mut c_int,
) -> c_int {
    let mut own = std::ptr::null_mut();
    // SAFETY: as the tool called us.
    unsafe {
        let answer = entry::get_parallel_info(level, &mut own, size);
        hand_over::<TOOL>(data, own);
        answer
    }
}

/// An ancestor task with the tool's words (§4.6.1.14).
unsafe extern "C" fn get_task_info<const TOOL: usize>(
    level: c_int,
    flags: *mut c_int,
    data: *mut *mut Data,
    frame: *mut *mut Frame,
    parallel: *mut *mut Data,
    number: *mut c_int,
) -> c_int {
    let (mut own, mut around) = (std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: as the tool called us.
    unsafe {
        let answer = entry::get_task_info(level, flags, &mut own, frame, &mut around, number);
        hand_over::<TOOL>(data, own);
        hand_over::<TOOL>(parallel, around);
        answer
    }
}

/// The target region that the thread is in, by the identifiers that the tool has given (§4.6.1.16).
unsafe extern "C" fn get_target_info<const TOOL: usize>(
    device: *mut u64,
    target: *mut Id,
    operation: *mut Id,
) -> c_int {
    // SAFETY: as the tool called us.
    unsafe { entry::target_info(Some(TOOL), device, target, operation) }
}

/// Writes the tool's word of the object with the word `own`, if the runtime has named one and the tool asks for it.
///
/// # Safety
/// `place` is null or writable, `own` null or an object's word.
unsafe fn hand_over<const TOOL: usize>(place: *mut *mut Data, own: *mut Data) {
    if !place.is_null() && !own.is_null() {
        // SAFETY: as the caller says.
        unsafe { *place = words::of(own, TOOL) };
    }
}

/// Ends the tool's activity, and nobody else's (§4.6.1.20).
unsafe extern "C" fn finalize_tool<const TOOL: usize>() {
    end::end_one(TOOL);
}
