//! The frames of the calling thread's stack, by the unwinder that exceptions use (Itanium C++ ABI: exception handling,
//! level I).

use crate::model::atomic::{AtomicBool, Ordering};
use std::ffi::{CStr, c_char, c_int, c_void};

/// A frame of the stack, while it is visited.
pub struct Frame(*mut c_void);

unsafe extern "C" {
    fn _Unwind_Backtrace(
        visit: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        argument: *mut c_void,
    ) -> c_int;
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

/// Whether the unwinder may wait for ever: the process was forked by an older glibc.
static BLIND: AtomicBool = AtomicBool::new(false);

/// Since 2.35 glibc answers the unwinder's question where code lies without a lock.
const FIRST_WITHOUT_LOCK: u32 = 35;

/// In a forked child. The unwinder of older glibcs takes a lock of the loader's. Another thread may have had the lock
/// at the fork, and those glibcs do not open it in the child: no stack is visited there any more.
pub fn after_fork() {
    unsafe extern "C" {
        fn gnu_get_libc_version() -> *const c_char;
    }
    // SAFETY: the function takes nothing and returns a string that lives for ever.
    let version = unsafe { CStr::from_ptr(gnu_get_libc_version()) };
    if minor_release(version.to_bytes()).is_none_or(|minor| minor < FIRST_WITHOUT_LOCK) {
        BLIND.store(true, Ordering::Relaxed);
    }
}

/// The second number of a version of glibc's.
fn minor_release(version: &[u8]) -> Option<u32> {
    std::str::from_utf8(version).ok()?.split('.').nth(1)?.parse().ok()
}

/// Visits the frames from the innermost on, as long as `visit` returns true and the stack can be read. Allocates
/// nothing.
pub fn visit<F: FnMut(Frame) -> bool>(mut visit: F) {
    if BLIND.load(Ordering::Relaxed) {
        return;
    }
    unsafe extern "C" fn each<F: FnMut(Frame) -> bool>(context: *mut c_void, visit: *mut c_void) -> c_int {
        // SAFETY: `visit` passes its own argument, which no other code uses meanwhile.
        let visit = unsafe { &mut *visit.cast::<F>() };
        c_int::from(!visit(Frame(context)))
    }
    // SAFETY: the unwinder calls the function with the argument, for each frame; it does not unwind.
    unsafe { _Unwind_Backtrace(each::<F>, (&raw mut visit).cast()) };
}

#[cfg(test)]
mod tests {
    use super::minor_release;

    #[test]
    fn releases_of_glibc_are_told_apart() {
        assert_eq!(
            ["2.17", "2.31", "2.43.9000"].map(|version| minor_release(version.as_bytes())),
            [Some(17), Some(31), Some(43)]
        );
        assert_eq!(minor_release(b"stable"), None);
    }
}
