//! The frames of the calling thread's stack, by the unwinder that exceptions use (Itanium C++ ABI: exception handling, level I).

use std::ffi::{c_int, c_void};

/// A frame of the stack, while it is visited.
pub struct Frame(*mut c_void);

unsafe extern "C" {
    fn _Unwind_Backtrace(visit: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int, argument: *mut c_void) -> c_int;
    fn _Unwind_GetIPInfo(context: *mut c_void, before: *mut c_int) -> usize;
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
}

impl Frame {
    /// Where its code is.
    pub fn address(&self) -> usize {
        // SAFETY: the unwinder's context, which is valid during the visit.
        unsafe { _Unwind_GetIPInfo(self.0, &mut 0) }
    }

    /// Whether a signal has interrupted it: its address is that of an instruction which has not been executed.
    pub fn is_interrupted(&self) -> bool {
        let mut before = 0;
        // SAFETY: as in `address`.
        unsafe { _Unwind_GetIPInfo(self.0, &mut before) };
        before != 0
    }

    /// What the unwinder calls the frame's canonical frame address: that of the frame inside.
    pub fn canonical_address_inside(&self) -> usize {
        // SAFETY: as in `address`.
        unsafe { _Unwind_GetCFA(self.0) }
    }
}

/// Visits the frames from the innermost on, as long as `visit` returns true and the stack can be read. Allocates nothing.
pub fn visit<F: FnMut(Frame) -> bool>(mut visit: F) {
    unsafe extern "C" fn each<F: FnMut(Frame) -> bool>(context: *mut c_void, visit: *mut c_void) -> c_int {
        // SAFETY: `visit` passes its own argument, which nobody else uses meanwhile.
        let visit = unsafe { &mut *visit.cast::<F>() };
        c_int::from(!visit(Frame(context)))
    }
    // SAFETY: the unwinder calls the function with the argument, for each frame; it does not unwind.
    unsafe { _Unwind_Backtrace(each::<F>, (&raw mut visit).cast()) };
}
