//! `ompt_libomptarget_connect`: a plug-in for LLVM's offload runtime that emits events of its own asks for the tool's callbacks, each by its
//! name. OpenMP 5.1 does not know it; the structure is that of `ompt_start_tool` (§4.2.1), with the plug-in in the tool's place.

use super::registry;
use crate::sync::mutex::Mutex;
use ::ompt::{Data, Event, InterfaceFn, StartToolResult};
use std::ffi::{CStr, c_char};

/// Those whose finalisers are to be called.
static CONNECTED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

/// Connects a plug-in, if there is a tool. Its finaliser is called when tools have been finalised.
///
/// # Safety
/// Null, or a structure that stays until its finaliser has run.
pub unsafe fn connect(result: *mut StartToolResult) {
    // SAFETY: the caller's.
    let Some(plug_in) = (unsafe { result.as_mut() }) else { return };
    let Some(initialize) = plug_in.initialize.filter(|_| registry::has_tool()) else { return };
    CONNECTED.with(|connected| connected.push(result as usize));
    let data: *mut Data = &raw mut plug_in.tool_data;
    // SAFETY: the plug-in's own function. What it answers is of no use: it has what it wants, or not.
    unsafe { initialize(lookup, 0, data) };
}

/// Calls the finalisers of plug-ins.
pub fn finalize() {
    for result in CONNECTED.with(std::mem::take).into_iter().rev() {
        // SAFETY: `connect` has put it there, and it stays until now.
        let plug_in = unsafe { &mut *(result as *mut StartToolResult) };
        let data: *mut Data = &raw mut plug_in.tool_data;
        if let Some(finalize) = plug_in.finalize {
            // SAFETY: the plug-in's own function.
            unsafe { finalize(data) };
        }
    }
}

/// The tool's callback for the event of this name, null if it has none.
unsafe extern "C" fn lookup(name: *const c_char) -> InterfaceFn {
    if name.is_null() {
        return None;
    }
    // SAFETY: the plug-in passes a C string.
    let name = unsafe { CStr::from_ptr(name) };
    let event = Event::ALL.iter().find(|(_, known)| known.as_bytes() == name.to_bytes())?.0;
    let callback = registry::get(event);
    // SAFETY: null, or a callback, which the plug-in casts to its type.
    unsafe { std::mem::transmute::<*mut std::ffi::c_void, InterfaceFn>(callback) }
}
