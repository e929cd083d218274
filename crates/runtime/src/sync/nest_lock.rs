//! Nestable locks: two 32-bit words in place, the owner and how often it has set the lock
//! (OpenMP 5.1 §3.9).
//!
//! The owner is a task, not a thread. Its word also says whether threads may sleep on it.

use super::{futex, lock};
use crate::model::atomic::{AtomicU32, Ordering};
use crate::ompt::{self, InState};
use crate::thread::{self, Thread};
use ::ompt::{Mutex, ScopeEndpoint, State};
use std::ffi::{c_int, c_void};

const FREE: u32 = 0;
/// The bit of the owner's word that says that threads may sleep on it.
const SLEEPERS: u32 = 1 << 31;

/// A nestable lock in the program's memory.
struct NestLock<'a> {
    /// The owner's number and [`SLEEPERS`]; [`FREE`] if it has none.
    owner: &'a AtomicU32,
    /// How often the owner has set the lock. Only the owner looks at it; atomic because a program may
    /// pass the lock to code that this module cannot see.
    count: &'a AtomicU32,
}

/// What [`NestLock::attempt`] found.
#[derive(PartialEq, Eq)]
enum Attempt {
    /// It was free.
    Taken,
    /// The caller had it already.
    Again,
    Busy,
}

/// Makes a lock, free.
///
/// # Safety
/// `lock` points to a nestable lock variable, as for all functions here.
pub unsafe fn init(lock: *mut u32, hint: u32, codeptr: *const c_void) {
    // SAFETY: the caller's.
    unsafe { NestLock::at(lock) }.reset();
    ompt::lock_init(Mutex::NEST_LOCK, hint, id(lock), codeptr);
}

/// Ends a lock's use.
///
/// # Safety
/// As for [`init`].
pub unsafe fn destroy(lock: *mut u32, codeptr: *const c_void) {
    ompt::lock_destroy(Mutex::NEST_LOCK, id(lock), codeptr);
    // SAFETY: the caller's.
    unsafe { NestLock::at(lock) }.reset();
}

/// Waits until the lock is the current task's, and counts.
///
/// # Safety
/// `lock` has been made with [`init`].
#[inline]
pub unsafe fn set(lock: *mut u32, codeptr: *const c_void) {
    // SAFETY: the caller's.
    let nest = unsafe { NestLock::at(lock) };
    let thread = thread::current();
    ompt::mutex_acquire(Mutex::NEST_LOCK, 0, id(lock), codeptr);
    let me = owner_number(thread);
    match nest.attempt(me) {
        Attempt::Again => return nested(lock, codeptr),
        Attempt::Taken => {}
        Attempt::Busy => nest.acquire_contended(thread, me),
    }
    ompt::mutex_acquired(Mutex::NEST_LOCK, id(lock), codeptr);
}

/// Takes back one setting; the last one releases the lock.
///
/// # Safety
/// As for [`set`].
#[inline]
pub unsafe fn unset(lock: *mut u32, codeptr: *const c_void) {
    // SAFETY: the caller's.
    let nest = unsafe { NestLock::at(lock) };
    let left = nest.count.load(Ordering::Relaxed).saturating_sub(1);
    nest.count.store(left, Ordering::Relaxed);
    if left > 0 {
        ompt::nest_lock(ScopeEndpoint::END, id(lock), codeptr);
        return;
    }
    nest.release();
    ompt::mutex_released(Mutex::NEST_LOCK, id(lock), codeptr);
}

/// Takes the lock if it is free or the current task's; how often that task has set it then, 0 if it
/// is another's.
///
/// # Safety
/// As for [`set`].
#[inline]
pub unsafe fn test(lock: *mut u32, codeptr: *const c_void) -> c_int {
    // SAFETY: the caller's.
    let nest = unsafe { NestLock::at(lock) };
    let me = owner_number(thread::current());
    ompt::mutex_acquire(Mutex::TEST_NEST_LOCK, 0, id(lock), codeptr);
    match nest.attempt(me) {
        Attempt::Busy => return 0,
        Attempt::Again => nested(lock, codeptr),
        Attempt::Taken => ompt::mutex_acquired(Mutex::TEST_NEST_LOCK, id(lock), codeptr),
    }
    c_int::try_from(nest.count.load(Ordering::Relaxed)).unwrap_or(c_int::MAX)
}

/// Tells of an inner setting.
#[inline(always)]
fn nested(lock: *mut u32, codeptr: *const c_void) {
    ompt::nest_lock(ScopeEndpoint::BEGIN, id(lock), codeptr);
}

#[inline(always)]
fn id(lock: *mut u32) -> u64 {
    lock as u64
}

/// The number by which a lock knows the current task: not 0, below [`SLEEPERS`].
#[inline(always)]
fn owner_number(thread: &Thread) -> u32 {
    thread.gtid() as u32 + 1
}

impl NestLock<'_> {
    /// The lock at an address.
    ///
    /// # Safety
    /// `lock` is aligned to 4 bytes and two words there are readable and writable while the result
    /// lives; only this module uses them meanwhile.
    #[inline(always)]
    unsafe fn at<'a>(lock: *mut u32) -> NestLock<'a> {
        // SAFETY: the caller's.
        unsafe { NestLock { owner: lock::word(lock), count: lock::word(lock.add(1)) } }
    }

    fn reset(&self) {
        self.count.store(0, Ordering::Relaxed);
        self.owner.store(FREE, Ordering::Release);
    }

    /// Takes the lock for `me` if that needs no waiting.
    #[inline(always)]
    fn attempt(&self, me: u32) -> Attempt {
        // Acquire: as for simple locks.
        match self.owner.compare_exchange(FREE, me, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => {
                self.count.store(1, Ordering::Relaxed);
                Attempt::Taken
            }
            Err(now) if now & !SLEEPERS == me => {
                self.count.store(self.count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                Attempt::Again
            }
            Err(_) => Attempt::Busy,
        }
    }

    #[cold]
    fn acquire_contended(&self, thread: &Thread, me: u32) {
        let _state = InState::new(thread, State::WAIT_LOCK, self.owner.as_ptr() as u64);
        let became_free = || self.owner.load(Ordering::Relaxed) == FREE && self.attempt(me) == Attempt::Taken;
        if lock::linger(became_free) {
            return;
        }
        loop {
            let now = self.owner.load(Ordering::Relaxed);
            // Marked even when taken without sleeping, as in a simple lock: others may sleep.
            let next = if now == FREE { me | SLEEPERS } else { now | SLEEPERS };
            if self.owner.compare_exchange(now, next, Ordering::Acquire, Ordering::Relaxed).is_err() {
                continue;
            }
            if now == FREE {
                self.count.store(1, Ordering::Relaxed);
                return;
            }
            futex::wait(self.owner, next);
        }
    }

    #[inline(always)]
    fn release(&self) {
        if self.owner.swap(FREE, Ordering::Release) & SLEEPERS != 0 {
            futex::wake(self.owner, 1);
        }
    }
}
