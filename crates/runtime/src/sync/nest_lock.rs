//! Nestable locks: one 64-bit word in place (OpenMP 5.1 §3.9).
//!
//! The owner is a task, not a thread. `protocol/nest_word.rs` has the word and its protocol; this file has what tools
//! hear.

use super::lock;
use crate::objects::call::Caller;
use crate::objects::current;
use crate::objects::presence::WaitFor;
use crate::objects::structures::{Task, Thread};
use crate::ompt::{self, Entered, InState};
use crate::protocol::nest_word::{self, Attempt, NestWord};
use crate::thread::wait;
use ::ompt::{Mutex, ScopeEndpoint, State};
use std::ffi::c_int;

const _: () = assert!(align_of::<Task>() == nest_word::OWNER_ALIGN, "the bits below an owner's address are free");

/// Makes a lock, free.
///
/// # Safety
/// `lock` points to a nestable lock variable, as for all functions here: to a word that nothing else changes.
pub unsafe fn init(lock: *mut u32, hint: u32, call: impl Caller) {
    // SAFETY: `lock` points to a nestable lock variable.
    let nest = unsafe { NestWord::at(lock) };
    lock::report_init(Mutex::NEST_LOCK, hint, nest.id(), call, || nest.clear());
}

/// Ends a lock's use.
///
/// # Safety
/// As for [`init`].
pub unsafe fn destroy(lock: *mut u32, call: impl Caller) {
    // SAFETY: `lock` points to a nestable lock variable.
    let nest = unsafe { NestWord::at(lock) };
    lock::report_destroy(Mutex::NEST_LOCK, nest.id(), call, || nest.clear());
}

/// Waits until the lock is the current task's, and counts.
///
/// # Safety
/// [`init`] has made `lock`.
#[inline]
pub unsafe fn set(lock: *mut u32, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    // SAFETY: `lock` points to a nestable lock variable.
    let nest = unsafe { NestWord::at(lock) };
    ompt::mutex_acquire(thread, Mutex::NEST_LOCK, 0, nest.id(), call);
    let me = owner(thread);
    match nest.attempt(me) {
        Attempt::Again(_) => return ompt::nest_lock(thread, ScopeEndpoint::BEGIN, nest.id(), call),
        Attempt::Taken => {}
        Attempt::Busy(found) => acquire_contended(nest, found, thread, me),
    }
    ompt::mutex_acquired(thread, Mutex::NEST_LOCK, nest.id(), call);
}

/// Takes back one setting. The last one releases the lock.
///
/// # Safety
/// As for [`set`].
#[inline]
pub unsafe fn unset(lock: *mut u32, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    // SAFETY: `lock` points to a nestable lock variable.
    let nest = unsafe { NestWord::at(lock) };
    if nest.release(&lock::SEATS) {
        ompt::mutex_released(thread, Mutex::NEST_LOCK, nest.id(), call);
    } else {
        ompt::nest_lock(thread, ScopeEndpoint::END, nest.id(), call);
    }
}

/// Takes the lock if it is free or the current task's. Returns how often that task has set it then, 0 if the lock is
/// another task's.
///
/// # Safety
/// As for [`set`].
#[inline]
pub unsafe fn test(lock: *mut u32, call: impl Caller) -> c_int {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    // SAFETY: `lock` points to a nestable lock variable.
    let nest = unsafe { NestWord::at(lock) };
    ompt::mutex_acquire(thread, Mutex::TEST_NEST_LOCK, 0, nest.id(), call);
    match nest.attempt(owner(thread)) {
        Attempt::Busy(_) => 0,
        Attempt::Taken => {
            ompt::mutex_acquired(thread, Mutex::TEST_NEST_LOCK, nest.id(), call);
            1
        }
        Attempt::Again(count) => {
            ompt::nest_lock(thread, ScopeEndpoint::BEGIN, nest.id(), call);
            c_int::try_from(count).unwrap_or(c_int::MAX)
        }
    }
}

/// The current task as the word's owner.
#[inline(always)]
fn owner(thread: &Thread) -> u64 {
    nest_word::owner(std::ptr::from_ref(thread.task()) as usize)
}

/// Takes a lock that is another task's, once that task has released the lock.
#[cold]
fn acquire_contended(nest: &NestWord, found: u64, thread: &Thread, me: u64) {
    let _state = InState::waiting(thread, State::WAIT_LOCK, nest.id(), WaitFor::NestLock);
    let taken = if wait::oversubscribed() {
        lock::yield_until(|| nest.take_if_free(me))
    } else {
        let mut pace = lock::Pace::default();
        nest.acquire_awake(found, me, &lock::SEATS, thread.lock_seat.seat(), |polls| pace.pause(polls))
    };
    if !taken {
        nest.acquire_asleep(me, &lock::SEATS);
    }
}
