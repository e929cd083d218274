//! Who called an entry point, for the events of tools.

use crate::arch;
use crate::objects::{current, switch};
use std::ffi::c_void;
use std::hint::cold_path;

/// Who called an entry point, as the core's functions get it. These functions are compiled twice: for [`Call`], and for
/// [`NoTool`] in a process without a tool. In the second form the compiler removes all events, so a construct pays
/// nothing for them.
pub trait Caller: Copy {
    /// Whether a tool may be active in this form.
    const MAY_HAVE_TOOL: bool;

    /// The call, without a look at whether a tool is active. For code that changes nothing and looks by itself, such as
    /// events that look for their callbacks.
    fn for_possible_tool(self) -> Option<Call>;

    /// The call if a tool is active, so that there are events to report.
    #[inline(always)]
    fn for_active_tool(self) -> Option<Call> {
        let call = self.for_possible_tool()?;
        if !switch::active() {
            cold_path();
            return None;
        }
        Some(call)
    }

    /// OMPT's `codeptr_ra` ([`Call::codeptr`]); null without a tool.
    #[inline(always)]
    fn codeptr(&self) -> *const c_void {
        self.for_possible_tool().map_or(std::ptr::null(), |call| Call::codeptr(&call))
    }
}

/// The caller in the form without events: there is no tool, so no event needs the place of the call.
#[derive(Clone, Copy, Debug)]
pub struct NoTool;

impl Caller for NoTool {
    const MAY_HAVE_TOOL: bool = false;

    #[inline(always)]
    fn for_possible_tool(self) -> Option<Call> {
        None
    }
}

impl Caller for Call {
    const MAY_HAVE_TOOL: bool = true;

    #[inline(always)]
    fn for_possible_tool(self) -> Option<Call> {
        Some(self)
    }
}

/// Where an entry point was called from.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The address to which the call returns.
    pub(crate) returns_to: *const c_void,
    /// The canonical frame address of the entry point: the stack pointer before the call.
    pub frame: *mut c_void,
}

impl Call {
    /// A call from the two words that an entry point passes on.
    #[inline(always)]
    pub fn new(returns_to: usize, frame: usize) -> Self {
        Call { returns_to: returns_to as *const c_void, frame: frame as *mut c_void }
    }

    /// A call with this code address and no frame, for events outside an entry point.
    pub fn at(codeptr: *const c_void) -> Self {
        Call { returns_to: codeptr, frame: std::ptr::null_mut() }
    }

    /// OMPT's `codeptr_ra`. If an outlined function called the entry point by a tail call, the return address lies in a
    /// trampoline of the runtime. An address in the outlined function replaces it: the one after the function's first
    /// byte, because tools look at the byte before. Called on the calling thread before its current task changes.
    #[inline(always)]
    pub fn codeptr(&self) -> *const c_void {
        if arch::is_trampoline(self.returns_to as usize) { in_current_function() } else { self.returns_to }
    }
}

/// An address in the outlined function of the calling thread's task.
#[cold]
#[inline(never)]
pub(crate) fn in_current_function() -> *const c_void {
    current::current().outlined_function().wrapping_byte_add(1)
}
