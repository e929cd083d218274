//! Simple locks: one 32-bit word in place, which serves gcc's 4-byte `omp_lock_t` and clang's 8-byte
//! one (OpenMP 5.1 §3.9). Critical and atomic regions use the same word.
//!
//! The word is free, taken, or taken with threads that may sleep on it. A free lock is taken by one compare-and-swap
//! and a lock without sleepers released by one swap; only the others make a system call. Which thread comes next is
//! left to chance, which is faster than order. A taken word says who has taken it, for debuggers.

use crate::arch;
use crate::model::atomic::{AtomicU32, Ordering};
use crate::objects::call::Caller;
use crate::objects::current;
use crate::objects::presence::WaitFor;
use crate::ompt;
use crate::ompt::{Entered, Waiting};
use crate::park::futex;
use crate::thread::wait;
use ::ompt::{Mutex, State};

const FREE: u32 = 0;
/// Threads may sleep on the word, which is taken.
const SLEEPERS: u32 = 1;
/// The word is taken. Above it lies one more than the taker's number, 0 for a thread that has none.
const TAKEN: u32 = 2;
/// What the calling thread puts into a word that it takes.
#[inline(always)]
fn taken() -> u32 {
    arch::tls_mark() | TAKEN
}

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
    unsafe { word(lock) }.store(FREE, Ordering::Release);
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
    unsafe { word(lock) }.store(FREE, Ordering::Relaxed);
}

/// Waits until the lock is the caller's.
///
/// # Safety
/// `lock` has been made with [`init`].
#[inline]
pub unsafe fn set(lock: *mut u32, call: impl Caller) {
    // SAFETY: the caller's.
    enter(unsafe { word(lock) }, Mutex::LOCK, State::WAIT_LOCK, 0, call);
}

/// Releases the lock, which is the caller's.
///
/// # Safety
/// As for [`set`].
#[inline]
pub unsafe fn unset(lock: *mut u32, call: impl Caller) {
    // SAFETY: the caller's.
    leave(unsafe { word(lock) }, Mutex::LOCK, call);
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
    let taken = try_acquire(unsafe { word(lock) });
    if taken {
        ompt::mutex_acquired(thread, Mutex::TEST_LOCK, id(lock), call);
    }
    taken
}

/// The word of a lock in the program's memory.
///
/// # Safety
/// `lock` is aligned to 4 bytes and readable and writable while the result lives; only this module's
/// functions use it meanwhile.
#[inline(always)]
pub(super) unsafe fn word<'a>(lock: *mut u32) -> &'a AtomicU32 {
    // SAFETY: the caller's.
    unsafe { AtomicU32::from_ptr(lock) }
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
    !C::ASKED || current::try_current().is_some() && call.told().is_none()
}

/// Takes the word, waiting in `state` if need be, and tells tools of it as mutual exclusion of a
/// kind.
#[inline(always)]
pub(super) fn enter(word: &AtomicU32, kind: Mutex, state: State, hint: u32, call: impl Caller) {
    if unobserved(call) {
        acquire(word, state);
    } else {
        enter_observed(word, kind, state, hint, call);
    }
}

#[inline]
fn enter_observed(word: &AtomicU32, kind: Mutex, state: State, hint: u32, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    let id = word.as_ptr() as u64;
    ompt::mutex(thread, kind, hint, id, call, || try_acquire(word), || acquire_contended(word, state));
}

/// Frees the word, and tells tools of it.
#[inline(always)]
pub(super) fn leave(word: &AtomicU32, kind: Mutex, call: impl Caller) {
    if unobserved(call) {
        release(word);
    } else {
        leave_observed(word, kind, call);
    }
}

#[inline]
fn leave_observed(word: &AtomicU32, kind: Mutex, call: impl Caller) {
    let thread = current::current();
    let _in = Entered::new(thread, call);
    release(word);
    ompt::mutex_released(thread, kind, word.as_ptr() as u64, call);
}

/// Takes a free word; false if it is not free.
#[inline(always)]
fn try_acquire(word: &AtomicU32) -> bool {
    // Acquire: pairs with the release in `release`, so what the lock protects is seen.
    word.compare_exchange(FREE, taken(), Ordering::Acquire, Ordering::Relaxed).is_ok()
}

/// Takes the word, waiting in `state` if need be.
#[inline(always)]
pub(super) fn acquire(word: &AtomicU32, state: State) {
    if !try_acquire(word) {
        acquire_contended(word, state);
    }
}

/// Frees the word and wakes a sleeper if there may be one.
#[inline(always)]
pub(super) fn release(word: &AtomicU32) {
    if word.swap(FREE, Ordering::Release) & SLEEPERS != 0 {
        futex::wake(word, 1);
    }
}

#[cold]
fn acquire_contended(word: &AtomicU32, state: State) {
    let _state = Waiting::new(current::current(), state, word.as_ptr() as u64, WaitFor::Lock);
    let became_free = || word.load(Ordering::Relaxed) == FREE && try_acquire(word);
    if linger(became_free) {
        return;
    }
    // From here on the word says that somebody sleeps, even when this thread takes it without
    // sleeping: it cannot know whether it is the last. At worst the release wakes nobody.
    loop {
        let now = word.load(Ordering::Relaxed);
        let next = if now == FREE { taken() | SLEEPERS } else { now | SLEEPERS };
        if now != next && word.compare_exchange(now, next, Ordering::Acquire, Ordering::Relaxed).is_err() {
            continue;
        }
        if now == FREE {
            return;
        }
        futex::wait(word, next);
    }
}

/// Waits a little, without sleeping, for `ready`; whether it came true.
pub(super) fn linger(mut ready: impl FnMut() -> bool) -> bool {
    if wait::crowded() {
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
