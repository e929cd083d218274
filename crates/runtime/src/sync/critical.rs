//! Critical regions, and the one lock behind atomic operations that the processor lacks
//! (OpenMP 5.1 §2.19.1, §2.19.7).
//!
//! A named critical region's lock lies in memory that the compiler reserves, zeroed, under the name.

use super::lock::{acquire, release, word};
use crate::model::atomic::AtomicU32;
use crate::ompt;
use ::ompt::{Mutex, State};
use std::ffi::c_void;

/// The lock of all critical regions without a name that do not bring memory of their own.
static UNNAMED: AtomicU32 = AtomicU32::new(0);
/// The lock of atomic regions that need one.
static ATOMIC: AtomicU32 = AtomicU32::new(0);

/// Enters the critical region whose lock lies at `name`.
///
/// # Safety
/// `name` points to 4 aligned bytes that were zero before the first use and serve nothing else.
#[inline]
pub unsafe fn enter(name: *mut u32, hint: u32, codeptr: *const c_void) {
    // SAFETY: the caller's.
    lock(unsafe { word(name) }, Mutex::CRITICAL, State::WAIT_CRITICAL, hint, codeptr);
}

/// Leaves the critical region whose lock lies at `name`.
///
/// # Safety
/// As for [`enter`]; the caller is inside.
#[inline]
pub unsafe fn leave(name: *mut u32, codeptr: *const c_void) {
    // SAFETY: the caller's.
    unlock(unsafe { word(name) }, Mutex::CRITICAL, codeptr);
}

/// Enters the critical region without a name.
pub fn enter_unnamed(codeptr: *const c_void) {
    lock(&UNNAMED, Mutex::CRITICAL, State::WAIT_CRITICAL, 0, codeptr);
}

/// Leaves the critical region without a name.
pub fn leave_unnamed(codeptr: *const c_void) {
    unlock(&UNNAMED, Mutex::CRITICAL, codeptr);
}

/// Enters an atomic region.
pub fn enter_atomic(codeptr: *const c_void) {
    lock(&ATOMIC, Mutex::ATOMIC, State::WAIT_ATOMIC, 0, codeptr);
}

/// Leaves an atomic region.
pub fn leave_atomic(codeptr: *const c_void) {
    unlock(&ATOMIC, Mutex::ATOMIC, codeptr);
}

#[inline(always)]
fn lock(word: &AtomicU32, kind: Mutex, state: State, hint: u32, codeptr: *const c_void) {
    let id = word.as_ptr() as u64;
    ompt::mutex_acquire(kind, hint, id, codeptr);
    acquire(word, state);
    ompt::mutex_acquired(kind, id, codeptr);
}

#[inline(always)]
fn unlock(word: &AtomicU32, kind: Mutex, codeptr: *const c_void) {
    release(word);
    ompt::mutex_released(kind, word.as_ptr() as u64, codeptr);
}
