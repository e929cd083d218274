//! A timer on the calling thread's CPU clock, which sends that thread one signal. By system calls, because the C
//! library's functions lie in different libraries in different versions.

use std::ffi::c_int;
use std::io::{Error, Result};

const NS: u64 = 1_000_000_000;

/// A timer. It ends with its thread, with the process's program, and when it is dropped.
pub struct Timer {
    id: c_int,
}

impl Timer {
    /// A timer that sends `signal` to the calling thread; not armed yet.
    ///
    /// # Errors
    /// If the system refuses, for instance because the user has too many signals pending.
    pub fn new(signal: c_int) -> Result<Timer> {
        let mut id = 0;
        // SAFETY: plain system calls with live structures; a structure of zeros is valid.
        let status = unsafe {
            let mut event: libc::sigevent = std::mem::zeroed();
            event.sigev_notify = libc::SIGEV_THREAD_ID;
            event.sigev_signo = signal;
            event.sigev_notify_thread_id = libc::syscall(libc::SYS_gettid) as c_int;
            libc::syscall(libc::SYS_timer_create, libc::CLOCK_THREAD_CPUTIME_ID, &mut event, &mut id)
        };
        if status == 0 { Ok(Timer { id }) } else { Err(Error::last_os_error()) }
    }

    /// Has the timer send its signal once, when the thread has used `at` nanoseconds of CPU time since its start.
    pub fn arm(&self, at: u64) {
        let zero = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        let value = libc::timespec { tv_sec: (at / NS) as i64, tv_nsec: (at % NS) as i64 };
        let time = libc::itimerspec { it_interval: zero, it_value: value };
        let none = std::ptr::null_mut::<libc::itimerspec>();
        // SAFETY: plain system call with a live structure. It does not fail with a timer that exists.
        unsafe { libc::syscall(libc::SYS_timer_settime, self.id, libc::TIMER_ABSTIME, &time, none) };
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        // SAFETY: the timer is this value's.
        unsafe { libc::syscall(libc::SYS_timer_delete, self.id) };
    }
}

/// The calling thread's CPU time in nanoseconds.
pub fn thread_time() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live structure.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    time.tv_sec as u64 * NS + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    static SEEN: AtomicU32 = AtomicU32::new(0);

    extern "C" fn count(_: c_int) {
        SEEN.fetch_add(1, Ordering::Relaxed);
    }

    #[test]
    fn a_signal_comes_once_and_after_its_time() {
        let signal = libc::SIGRTMAX() - 5;
        // SAFETY: a handler that only counts.
        unsafe { libc::signal(signal, count as extern "C" fn(c_int) as usize) };
        let timer = Timer::new(signal).unwrap();
        let begin = thread_time();
        timer.arm(begin + 5_000_000);
        while thread_time() < begin + 4_000_000 {}
        assert_eq!(SEEN.load(Ordering::Relaxed), 0);
        while thread_time() < begin + 60_000_000 {}
        assert_eq!(SEEN.load(Ordering::Relaxed), 1);
        timer.arm(thread_time() + 1_000_000_000);
        drop(timer);
    }
}
