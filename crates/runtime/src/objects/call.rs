//! Who called: what an entry point hands to the core about the place in the program.

use crate::arch;
use crate::objects::{current, switch};
use std::ffi::c_void;
use std::hint::cold_path;

/// What the core is told of who called an entry point. The core's functions are compiled for both kinds: [`Call`], and
/// [`NoTool`] where there is no tool, so that a construct pays nothing for the events that nobody hears.
pub trait Caller: Copy {
    /// Whether there may be a tool.
    const MAY_HAVE_TOOL: bool;
    /// The call, if a tool is active: then there are events to tell.
    fn for_active_tool(self) -> Option<Call>;
    /// The call, if there may be a tool: for those who change nothing and find out by themselves, as events do that
    /// look for their callbacks.
    fn for_possible_tool(self) -> Option<Call>;
    /// OMPT's `codeptr_ra`, null where nobody asks. See [`Call::codeptr`].
    fn codeptr(&self) -> *const c_void;
}

/// No tool is active, so that nobody asks who called.
#[derive(Clone, Copy, Debug)]
pub struct NoTool;

impl Caller for NoTool {
    const MAY_HAVE_TOOL: bool = false;

    #[inline(always)]
    fn for_active_tool(self) -> Option<Call> {
        None
    }

    #[inline(always)]
    fn for_possible_tool(self) -> Option<Call> {
        None
    }

    #[inline(always)]
    fn codeptr(&self) -> *const c_void {
        std::ptr::null()
    }
}

impl Caller for Call {
    const MAY_HAVE_TOOL: bool = true;

    #[inline(always)]
    fn for_active_tool(self) -> Option<Call> {
        if !switch::active() {
            cold_path();
            return None;
        }
        Some(self)
    }

    #[inline(always)]
    fn for_possible_tool(self) -> Option<Call> {
        Some(self)
    }

    #[inline(always)]
    fn codeptr(&self) -> *const c_void {
        Call::codeptr(self)
    }
}

/// Who called an entry point: what OMPT needs to know about the place in the program.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    /// The address that the call returns to.
    pub(crate) returns_to: *const c_void,
    /// The canonical frame address of the entry point: the stack pointer before the call.
    pub frame: *mut c_void,
}

impl Call {
    /// From the two words that an entry point hands on.
    #[inline(always)]
    pub fn new(returns_to: usize, frame: usize) -> Self {
        Call { returns_to: returns_to as *const c_void, frame: frame as *mut c_void }
    }

    /// A call whose place is known from elsewhere.
    pub fn at(codeptr: *const c_void) -> Self {
        Call { returns_to: codeptr, frame: std::ptr::null_mut() }
    }

    /// OMPT's `codeptr_ra`. Where an outlined function jumped to the entry point as its last act, the return
    /// address is a trampoline's; an address in the function itself stands for it then, just past
    /// its first byte, so that the byte before it, where tools look, lies in the function. To be
    /// asked for on the calling thread, before the call changes its current task.
    #[inline(always)]
    pub fn codeptr(&self) -> *const c_void {
        if arch::is_trampoline(self.returns_to as usize) { in_current_function() } else { self.returns_to }
    }
}

/// An address in the outlined function of the calling thread's current task.
#[cold]
#[inline(never)]
pub(crate) fn in_current_function() -> *const c_void {
    current::current().outlined_function().wrapping_byte_add(1)
}
