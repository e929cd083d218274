//! Critical regions, and the one lock behind atomic operations that the processor lacks (OpenMP 5.1 §2.19.1, §2.19.7).
//!
//! A named critical region's lock lies in memory that the compiler reserves, zeroed, under the name.

use super::lock;
use crate::model::Padded;
use crate::objects::call::{Call, Caller};
use crate::protocol::lock_word::LockWord;
use ::ompt::{Mutex, State};

/// The lock of all critical regions without a name that do not bring memory of their own.
pub(crate) static UNNAMED: Padded<LockWord> = Padded(LockWord::new());
/// The lock of atomic regions that need one.
static ATOMIC: Padded<LockWord> = Padded(LockWord::new());

/// Enters the critical region whose lock lies at `name`.
///
/// # Safety
/// `name` points to 4 aligned bytes that were zero before the first use and serve nothing else.
#[inline]
pub unsafe fn enter(name: *mut u32, hint: u32, call: impl Caller) {
    // SAFETY: `name` points to the word of a lock, says the caller.
    lock::enter(unsafe { LockWord::at(name) }, Mutex::CRITICAL, State::WAIT_CRITICAL, hint, call);
}

/// Leaves the critical region whose lock lies at `name`.
///
/// # Safety
/// As for [`enter`]; the caller is inside.
#[inline]
pub unsafe fn leave(name: *mut u32, call: impl Caller) {
    // SAFETY: `name` points to the word of a lock, says the caller.
    lock::leave(unsafe { LockWord::at(name) }, Mutex::CRITICAL, call);
}

/// As [`enter`], where the program has no critical construct: tools do not hear of it.
///
/// # Safety
/// As for [`enter`].
#[inline]
pub unsafe fn enter_unreported(name: *mut u32) {
    // SAFETY: `name` points to the word of a lock, says the caller.
    lock::acquire(unsafe { LockWord::at(name) }, State::WAIT_MUTEX);
}

/// Leaves what [`enter_unreported`] entered.
///
/// # Safety
/// As for [`leave`].
#[inline]
pub unsafe fn leave_unreported(name: *mut u32) {
    // SAFETY: `name` points to the word of a lock, says the caller.
    lock::release(unsafe { LockWord::at(name) });
}

/// Makes the lock a free one.
///
/// # Safety
/// As for [`enter`]; no thread has the lock or waits for it.
pub unsafe fn open(name: *mut u32) {
    // SAFETY: `name` points to the word of a lock, says the caller.
    unsafe { LockWord::at(name) }.clear();
}

/// As [`enter`], for an entry point that has `found` the lock so, which may be [`UNNAMED`]: see
/// [`lock::enter_slowly`].
///
/// # Safety
/// As for [`enter`].
pub unsafe fn enter_slowly(name: *mut u32, found: u32, call: Call) {
    // SAFETY: `name` points to the word of a lock, says the caller.
    lock::enter_slowly(unsafe { LockWord::at(name) }, found, Mutex::CRITICAL, State::WAIT_CRITICAL, call);
}

/// As [`leave`], for an entry point that has freed the lock, whose word was `before`.
///
/// # Safety
/// As for [`leave`].
pub unsafe fn leave_slowly(name: *mut u32, before: u32, call: Call) {
    // SAFETY: `name` points to the word of a lock, says the caller.
    lock::leave_slowly(unsafe { LockWord::at(name) }, before, Mutex::CRITICAL, call);
}

/// Enters an atomic region.
pub fn enter_atomic(call: impl Caller) {
    lock::enter(&ATOMIC, Mutex::ATOMIC, State::WAIT_ATOMIC, 0, call);
}

/// Leaves an atomic region.
pub fn leave_atomic(call: impl Caller) {
    lock::leave(&ATOMIC, Mutex::ATOMIC, call);
}

/// Frees the lock of atomic regions in a forked child, where the threads inside do not exist. `fork` cannot be called
/// inside such a region.
pub fn after_fork() {
    lock::after_fork();
    ATOMIC.clear();
}
