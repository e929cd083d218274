//! Simple locks: one 32-bit word in place, which serves gcc's 4-byte `omp_lock_t` and clang's 8-byte
//! one (OpenMP 5.1 §3.9). Critical and atomic regions use the same word.
//!
//! `protocol/lock_word.rs` has the word and its protocol. This file has what is around the word: which thread takes a
//! lock, how long a thread looks before the thread sleeps, and what tools are told. Which thread comes next is left to
//! chance, which is faster than order.

use crate::arch;
use crate::objects::call::Caller;
use crate::objects::current;
use crate::objects::presence::WaitFor;
use crate::ompt::{self, Entered, InState};
use crate::protocol::lock_word::LockWord;
use crate::thread::wait;
use ::ompt::{Mutex, State};

/// Looks at a taken word before sleeping, when every thread has a CPU: some ten microseconds, which
/// is what a sleep and a wake cost.
const SPINS: u32 = 300;
/// Times to let other threads run before sleeping, when there are more threads than CPUs.
const YIELDS: u32 = 8;

/// Makes a lock, free.
///
/// # Safety
/// `lock` points to a lock variable, as for all functions here.
pub unsafe fn init(lock: *mut u32, hint: u32, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    // SAFETY: the caller's.
    unsafe { LockWord::at(lock) }.clear();
    ompt::lock_init(thread, Mutex::LOCK, hint, id(lock), call);
}

/// Ends a lock's use.
///
/// # Safety
/// As for [`init`].
pub unsafe fn destroy(lock: *mut u32, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    ompt::lock_destroy(thread, Mutex::LOCK, id(lock), call);
    // SAFETY: the caller's.
    unsafe { LockWord::at(lock) }.clear();
}

/// Waits until the lock is the caller's.
///
/// # Safety
/// `lock` has been made with [`init`].
#[inline]
pub unsafe fn set(lock: *mut u32, call: impl Caller) {
    // SAFETY: the caller's.
    enter(unsafe { LockWord::at(lock) }, Mutex::LOCK, State::WAIT_LOCK, 0, call);
}

/// Releases the lock, which is the caller's.
///
/// # Safety
/// As for [`set`].
#[inline]
pub unsafe fn unset(lock: *mut u32, call: impl Caller) {
    // SAFETY: the caller's.
    leave(unsafe { LockWord::at(lock) }, Mutex::LOCK, call);
}

/// Takes the lock if it is free; whether it was.
///
/// # Safety
/// As for [`set`].
#[inline]
pub unsafe fn test(lock: *mut u32, call: impl Caller) -> bool {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    ompt::mutex_acquire(thread, Mutex::TEST_LOCK, 0, id(lock), call);
    // SAFETY: the caller's.
    let taken = try_acquire(unsafe { LockWord::at(lock) });
    if taken {
        ompt::mutex_acquired(thread, Mutex::TEST_LOCK, id(lock), call);
    }
    taken
}

/// What identifies a lock to tools.
#[inline(always)]
fn id(lock: *mut u32) -> u64 {
    lock as u64
}

/// Whether nobody wants to hear of mutual exclusion: the runtime is up, and no tool is active. Keeps
/// the short way short.
#[inline(always)]
pub(super) fn unobserved<C: Caller>(call: C) -> bool {
    !C::MAY_HAVE_TOOL || current::try_current().is_some() && call.for_active_tool().is_none()
}

/// Takes the word, waiting in `state` if need be, and tells tools of it as mutual exclusion of a
/// kind.
#[inline(always)]
pub(super) fn enter(word: &LockWord, kind: Mutex, state: State, hint: u32, call: impl Caller) {
    if unobserved(call) {
        acquire(word, state);
    } else {
        enter_observed(word, kind, state, hint, call);
    }
}

#[inline]
fn enter_observed(word: &LockWord, kind: Mutex, state: State, hint: u32, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    let id = word.id();
    ompt::mutex(thread, kind, hint, id, call, || try_acquire(word), || acquire_contended(word, state));
}

/// Frees the word, and tells tools of it.
#[inline(always)]
pub(super) fn leave(word: &LockWord, kind: Mutex, call: impl Caller) {
    if unobserved(call) {
        release(word);
    } else {
        leave_observed(word, kind, call);
    }
}

#[inline]
fn leave_observed(word: &LockWord, kind: Mutex, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    release(word);
    ompt::mutex_released(thread, kind, word.id(), call);
}

/// Takes a free word for the calling thread; false if the word is not free.
#[inline(always)]
fn try_acquire(word: &LockWord) -> bool {
    word.try_acquire(arch::tls_mark())
}

/// Takes the word, waiting in `state` if need be.
#[inline(always)]
pub(super) fn acquire(word: &LockWord, state: State) {
    if !try_acquire(word) {
        acquire_contended(word, state);
    }
}

/// Frees the word and wakes a sleeper if there may be one.
#[inline(always)]
pub(super) fn release(word: &LockWord) {
    word.release();
}

#[cold]
fn acquire_contended(word: &LockWord, state: State) {
    let _state = InState::waiting(current::current(), state, word.id(), WaitFor::Lock);
    let mark = arch::tls_mark();
    if !linger(|| word.try_acquire_if_free(mark)) {
        word.acquire_asleep(mark);
    }
}

/// Waits a little, without sleeping, for `ready`; whether it came true.
pub(super) fn linger(mut ready: impl FnMut() -> bool) -> bool {
    if wait::oversubscribed() {
        for _ in 0..YIELDS {
            // SAFETY: takes no arguments and only gives up the CPU.
            unsafe { libc::sched_yield() };
            if ready() {
                return true;
            }
        }
    } else {
        for _ in 0..SPINS {
            std::hint::spin_loop();
            if ready() {
                return true;
            }
        }
    }
    false
}
