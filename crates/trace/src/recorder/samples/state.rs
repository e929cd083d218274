//! What the process's samplers and the handler share.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// The handler's address; 0 before the first start.
pub static HANDLER: AtomicUsize = AtomicUsize::new(0);
/// The signal of the timers; 0 while there is no sampling.
pub static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// Samples in a second of a thread's CPU time.
pub static RATE: AtomicU32 = AtomicU32::new(0);
/// Set by the handler when it meets code that [`unwind`] does not know.
pub static STRANGE: AtomicBool = AtomicBool::new(false);
/// The begin and end of the runtime's code; 0 if it is not known.
pub static RUNTIME: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// The begin and end of the runtime's code; 0 if it is not known.
pub fn runtime_code() -> (u64, u64) {
    (RUNTIME[0].load(Ordering::Relaxed), RUNTIME[1].load(Ordering::Relaxed))
}

/// Whether an address is in the runtime's code.
pub fn is_runtime(address: u64) -> bool {
    let (start, end) = runtime_code();
    (start..end).contains(&address)
}

/// Whether the signal still has this module's handler.
pub fn is_ours(signal: c_int) -> bool {
    // SAFETY: a plain call with a live structure, for which zeros are valid.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut action) == 0
            && action.sa_sigaction == HANDLER.load(Ordering::Relaxed)
    }
}
