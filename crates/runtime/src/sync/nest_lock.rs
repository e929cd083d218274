//! Nestable locks: one 64-bit word in place (OpenMP 5.1 §3.9).
//!
//! The owner is a task, not a thread. The word holds its address, how often it has set the lock, and
//! whether threads may sleep on the word's lower half; it is 0 while the lock is free.

use super::lock;
use crate::model::atomic::{AtomicU32, AtomicU64, Ordering};
use crate::objects::call::Caller;
use crate::objects::current;
use crate::objects::nest_lock_word::OWNER_SHIFT;
use crate::objects::presence::WaitFor;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::ompt;
use crate::ompt::{Entered, Waiting};
use crate::park::futex;
use ::ompt::{Mutex, ScopeEndpoint, State};
use std::ffi::c_int;

const FREE: u64 = 0;
/// Threads may sleep on the lower half.
const SLEEPERS: u64 = 1;
/// One setting.
const ONCE: u64 = 2;
/// The bits below the owner's: those of the shift and those that the alignment of tasks leaves free.
const LOWER: u64 = ((align_of::<Task>() as u64) << OWNER_SHIFT) - 1;
/// How often a task can set a lock.
const MOST: u64 = LOWER / ONCE;

/// What [`NestLock::attempt`] found.
#[derive(PartialEq, Eq)]
enum Attempt {
    /// It was free.
    Taken,
    /// The caller has it now this many times.
    Again(u64),
    Busy,
}

/// Makes a lock, free.
///
/// # Safety
/// `lock` points to a nestable lock variable, as for all functions here.
pub unsafe fn init(lock: *mut u32, hint: u32, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    // SAFETY: the caller's.
    unsafe { NestLock::at(lock) }.0.store(FREE, Ordering::Release);
    ompt::lock_init(thread, Mutex::NEST_LOCK, hint, id(lock), call);
}

/// Ends a lock's use.
///
/// # Safety
/// As for [`init`].
pub unsafe fn destroy(lock: *mut u32, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    ompt::lock_destroy(thread, Mutex::NEST_LOCK, id(lock), call);
    // SAFETY: the caller's.
    unsafe { NestLock::at(lock) }.0.store(FREE, Ordering::Release);
}

/// Waits until the lock is the current task's, and counts.
///
/// # Safety
/// `lock` has been made with [`init`].
#[inline]
pub unsafe fn set(lock: *mut u32, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    // SAFETY: the caller's.
    let nest = unsafe { NestLock::at(lock) };
    ompt::mutex_acquire(thread, Mutex::NEST_LOCK, 0, id(lock), call);
    let me = owner(thread);
    match nest.attempt(me) {
        Attempt::Again(_) => return ompt::nest_lock(thread, ScopeEndpoint::BEGIN, id(lock), call),
        Attempt::Taken => {}
        Attempt::Busy => nest.acquire_contended(thread, me),
    }
    ompt::mutex_acquired(thread, Mutex::NEST_LOCK, id(lock), call);
}

/// Takes back one setting; the last one releases the lock.
///
/// # Safety
/// As for [`set`].
#[inline]
pub unsafe fn unset(lock: *mut u32, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    // SAFETY: the caller's.
    if unsafe { NestLock::at(lock) }.release() {
        ompt::mutex_released(thread, Mutex::NEST_LOCK, id(lock), call);
    } else {
        ompt::nest_lock(thread, ScopeEndpoint::END, id(lock), call);
    }
}

/// Takes the lock if it is free or the current task's; how often that task has set it then, 0 if it
/// is another's.
///
/// # Safety
/// As for [`set`].
#[inline]
pub unsafe fn test(lock: *mut u32, call: impl Caller) -> c_int {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    ompt::mutex_acquire(thread, Mutex::TEST_NEST_LOCK, 0, id(lock), call);
    // SAFETY: the caller's.
    match unsafe { NestLock::at(lock) }.attempt(owner(thread)) {
        Attempt::Busy => 0,
        Attempt::Taken => {
            ompt::mutex_acquired(thread, Mutex::TEST_NEST_LOCK, id(lock), call);
            1
        }
        Attempt::Again(count) => {
            ompt::nest_lock(thread, ScopeEndpoint::BEGIN, id(lock), call);
            c_int::try_from(count).unwrap_or(c_int::MAX)
        }
    }
}

/// What identifies a lock to tools.
#[inline(always)]
fn id(lock: *mut u32) -> u64 {
    lock as u64
}

/// The current task as the word's owner.
#[inline(always)]
fn owner(thread: &Thread) -> u64 {
    (std::ptr::from_ref(thread.task()) as u64) << OWNER_SHIFT
}

/// A nestable lock in the program's memory.
struct NestLock<'a>(&'a AtomicU64);

impl NestLock<'_> {
    /// The lock at an address.
    ///
    /// # Safety
    /// `lock` is aligned to 8 bytes and as many are readable and writable while the result lives;
    /// only this module uses them meanwhile.
    #[inline(always)]
    unsafe fn at<'a>(lock: *mut u32) -> NestLock<'a> {
        // SAFETY: the caller's.
        NestLock(unsafe { AtomicU64::from_ptr(lock.cast()) })
    }

    /// Takes the lock for `me` if that needs no waiting.
    #[inline(always)]
    fn attempt(&self, me: u64) -> Attempt {
        // Acquire: as for simple locks.
        match self.0.compare_exchange(FREE, me | ONCE, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Attempt::Taken,
            Err(now) if now & !LOWER == me => {
                if (now & LOWER) / ONCE >= MOST - 1 {
                    too_often();
                }
                // Others may mark the word meanwhile, so this is no plain store.
                let before = self.0.fetch_add(ONCE, Ordering::Relaxed);
                Attempt::Again((before & LOWER) / ONCE + 1)
            }
            Err(_) => Attempt::Busy,
        }
    }

    #[cold]
    fn acquire_contended(&self, thread: &Thread, me: u64) {
        let _state = Waiting::new(thread, State::WAIT_LOCK, self.0.as_ptr() as u64, WaitFor::NestLock);
        let became_free = || self.0.load(Ordering::Relaxed) == FREE && self.attempt(me) == Attempt::Taken;
        if lock::linger(became_free) {
            return;
        }
        loop {
            let now = self.0.load(Ordering::Relaxed);
            // Marked even when taken without sleeping, as in a simple lock: others may sleep.
            let next = if now == FREE { me | ONCE | SLEEPERS } else { now | SLEEPERS };
            if self.0.compare_exchange(now, next, Ordering::Acquire, Ordering::Relaxed).is_err() {
                continue;
            }
            if now == FREE {
                return;
            }
            futex::wait(self.lower_half(), next as u32);
        }
    }

    /// Takes back one setting; whether the lock is free now.
    #[inline(always)]
    fn release(&self) -> bool {
        let now = self.0.load(Ordering::Relaxed);
        if (now & LOWER) / ONCE > 1 {
            self.0.fetch_sub(ONCE, Ordering::Relaxed);
            return false;
        }
        if self.0.swap(FREE, Ordering::Release) & SLEEPERS != 0 {
            futex::wake(self.lower_half(), 1);
        }
        true
    }

    /// The half that the kernel looks at. Nothing is read or written through it here.
    fn lower_half(&self) -> &AtomicU32 {
        // SAFETY: the first four bytes of the word, which on a little-endian machine are its lower
        // half; they live as long as the word.
        unsafe { AtomicU32::from_ptr(self.0.as_ptr().cast()) }
    }
}

#[cold]
fn too_often() -> ! {
    crate::stderr::abort(format_args!("a task has set a nestable lock more often than can be counted"))
}
