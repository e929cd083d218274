//! The futex system call: sleep while a 32-bit word has a value, wake those who sleep on it.
//!
//! See futex(2). Under loom a table of modelled condition variables stands in, one a word.

use crate::model::atomic::AtomicU32;

/// Sleeps while `*word == expected`. Returns on a wake, on a signal or spuriously; callers re-check.
#[cfg(not(loom))]
#[cold]
pub fn wait(word: &AtomicU32, expected: u32) {
    wait_for(word, expected, None);
}

/// As [`wait`], and returns after `limit` at the latest.
#[cfg(not(loom))]
#[cold]
pub fn wait_for(word: &AtomicU32, expected: u32, limit: Option<std::time::Duration>) {
    let limit =
        limit.map(|limit| libc::timespec { tv_sec: limit.as_secs() as _, tv_nsec: limit.subsec_nanos().into() });
    // SAFETY: the word and the timeout, null for none, outlive the call, and a private futex touches
    // nothing else. errno is left as the program had it.
    unsafe {
        let errno = libc::__errno_location();
        let saved = *errno;
        libc::syscall(
            libc::SYS_futex,
            word.as_ptr(),
            libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG,
            expected,
            limit.as_ref().map_or(std::ptr::null(), std::ptr::from_ref::<libc::timespec>),
        );
        *errno = saved;
    }
}

/// Wakes up to `count` threads that sleep on `word`.
#[cfg(not(loom))]
#[cold]
pub fn wake(word: &AtomicU32, count: i32) {
    // SAFETY: as in `wait`; a wake only reads the address.
    unsafe {
        let errno = libc::__errno_location();
        let saved = *errno;
        libc::syscall(libc::SYS_futex, word.as_ptr(), libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG, count);
        *errno = saved;
    }
}

#[cfg(loom)]
mod modelled {
    use super::AtomicU32;
    use crate::model::atomic::Ordering;
    use loom::sync::{Condvar, Mutex};

    loom::lazy_static! {
        // One queue serves every word: a wake for one word is then a spurious wake for the others,
        // which callers must tolerate anyway.
        static ref QUEUE: (Mutex<()>, Condvar) = (Mutex::new(()), Condvar::new());
    }

    /// The modelled sleep: compares under the queue's lock, as the kernel does.
    pub fn wait(word: &AtomicU32, expected: u32) {
        let guard = QUEUE.0.lock().unwrap();
        if word.load(Ordering::SeqCst) == expected {
            drop(QUEUE.1.wait(guard).unwrap());
        }
    }

    /// The modelled wake: wakes all, whatever `count` says, because the queue is shared.
    pub fn wake(_word: &AtomicU32, _count: i32) {
        drop(QUEUE.0.lock().unwrap());
        QUEUE.1.notify_all();
    }
}

#[cfg(loom)]
pub use modelled::{wait, wake};
