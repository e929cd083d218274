//! The calls that have led a thread to a place in the program.

use crate::library::RuntimeLibrary;
use std::ffi::{c_int, c_void};

/// How many frames are searched, and how many calls are reported.
const FRAMES: usize = 200;
const CALLS: usize = 10;

/// Return codes of the unwinder and of its callback (the C++ ABI's `_Unwind_Reason_Code`).
const GO_ON: c_int = 0;
const END: c_int = 5;

unsafe extern "C-unwind" {
    fn _Unwind_Backtrace(step: unsafe extern "C" fn(*mut c_void, *mut c_void) -> c_int, argument: *mut c_void)
    -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
}

unsafe extern "C" fn step(context: *mut c_void, addresses: *mut c_void) -> c_int {
    // SAFETY: `addresses` is the vector that `return_addresses` passes, and no one else has it during the call.
    let addresses = unsafe { &mut *addresses.cast::<Vec<usize>>() };
    // SAFETY: the unwinder's own context.
    addresses.push(unsafe { _Unwind_GetIP(context) });
    if addresses.len() < FRAMES { GO_ON } else { END }
}

/// The return addresses on this thread's stack, the innermost first.
fn return_addresses() -> Vec<usize> {
    let mut addresses = Vec::with_capacity(FRAMES);
    // SAFETY: `step` has the type of the unwinder's callback and never unwinds, and the vector outlives the call.
    unsafe { _Unwind_Backtrace(step, (&raw mut addresses).cast()) };
    addresses
}

/// The calls that have led this thread to the function with the return address `code`, innermost first, without calls
/// by the runtime. Empty if the stack cannot be followed.
pub fn callers(code: usize, runtime: &RuntimeLibrary) -> Vec<usize> {
    let addresses = return_addresses();
    let Some(at) = addresses.iter().position(|address| *address == code) else { return Vec::new() };
    let calls = addresses[at + 1..].iter().copied().filter(|address| *address != 0);
    calls.take_while(|address| !runtime.contains(*address)).take(CALLS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn callers_are_those_behind_the_place() {
        #[inline(never)]
        fn inner() -> (Vec<usize>, Vec<usize>) {
            let addresses = return_addresses();
            let callers = callers(addresses[addresses.len() / 2], &RuntimeLibrary::default());
            (addresses, callers)
        }
        let (addresses, callers) = inner();
        let behind = &addresses[addresses.len() / 2 + 1..];
        assert_eq!(callers[..2], behind[..2]);
        assert!(super::callers(1, &RuntimeLibrary::default()).is_empty());
    }
}
