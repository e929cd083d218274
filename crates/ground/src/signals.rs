//! Holding back signals while the calling thread is in the middle of becoming known to the runtime, or of leaving it.
//! The program's handlers may ask `omp_get_thread_num` and its kin: one that ran in between would wait for its own
//! thread.

use crate::backtrace;
use std::mem::MaybeUninit;

/// Signals are held back until this is dropped; those that came meanwhile come then.
pub struct Held(libc::sigset_t);

/// Holds all signals of the calling thread back. Threads that are created meanwhile get none either.
pub fn hold() -> Held {
    let (mut all, mut before) = (MaybeUninit::uninit(), MaybeUninit::uninit());
    // SAFETY: the first call writes the set that the second one reads, which writes the set that held before. It cannot
    // fail with these arguments.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_BLOCK, all.as_ptr(), before.as_mut_ptr());
        Held(before.assume_init())
    }
}

/// Whether the calling thread is in a signal handler, as far as its stack can be read. Takes microseconds.
#[cold]
pub fn is_handler() -> bool {
    let mut found = false;
    backtrace::visit(|frame| {
        found = frame.is_interrupted();
        !found
    });
    found
}

impl Drop for Held {
    fn drop(&mut self) {
        // SAFETY: the set that `hold` has been given.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.0, std::ptr::null_mut()) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::hardware::{AtomicU32, Ordering};
    use std::ffi::c_int;

    static SEEN: AtomicU32 = AtomicU32::new(0);

    extern "C" fn handle(_: c_int) {
        SEEN.store(1 + u32::from(is_handler()), Ordering::Relaxed);
    }

    #[test]
    fn handler_knows_that_it_is_one_and_waits_while_signals_are_held() {
        assert!(!is_handler());
        // SAFETY: a handler that only writes an atomic.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = handle as extern "C" fn(c_int) as usize;
            assert_eq!(libc::sigaction(libc::SIGURG, &action, std::ptr::null_mut()), 0);
        }
        let held = hold();
        // SAFETY: a signal to this thread, whose handler stands.
        unsafe { libc::raise(libc::SIGURG) };
        assert_eq!(SEEN.load(Ordering::Relaxed), 0, "held back");
        drop(held);
        assert_eq!(SEEN.load(Ordering::Relaxed), 2, "a handler, on top of code that is none");
    }
}
