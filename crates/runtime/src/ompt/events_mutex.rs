//! Events of mutual exclusion: locks, critical, atomic and ordered regions (OpenMP 5.1 §4.5.2.15–17).

use super::registry::{on, report};
use crate::objects::call::Caller;
use crate::objects::structures::Thread;
use ::ompt::{Mutex, ScopeEndpoint, WaitId};
use std::ffi::{CStr, c_uint, c_void};
use std::hint::cold_path;

/// The one implementation of mutual exclusion: a futex word in three states, after a short spin.
pub const MUTEX_FUTEX: u32 = 1;
/// The name of [`MUTEX_FUTEX`].
pub const MUTEX_FUTEX_NAME: &CStr = c"ferromp_mutex_futex";

/// `ompt_callback_lock_init`.
#[inline(always)]
pub fn lock_init(thread: &Thread, kind: Mutex, hint: c_uint, id: WaitId, call: impl Caller) {
    let Some(call) = call.for_possible_tool() else { return };
    report::lock_init(thread, || (kind, hint, MUTEX_FUTEX, id, call.codeptr()));
}

/// `ompt_callback_lock_destroy`.
#[inline(always)]
pub fn lock_destroy(thread: &Thread, kind: Mutex, id: WaitId, call: impl Caller) {
    let Some(call) = call.for_possible_tool() else { return };
    report::lock_destroy(thread, || (kind, id, call.codeptr()));
}

/// `ompt_callback_mutex_acquire`: the thread is about to try.
#[inline(always)]
pub fn mutex_acquire(thread: &Thread, kind: Mutex, hint: c_uint, id: WaitId, call: impl Caller) {
    let Some(call) = call.for_possible_tool() else { return };
    report::mutex_acquire(thread, || (kind, hint, MUTEX_FUTEX, id, call.codeptr()));
}

/// `ompt_callback_mutex_acquired`.
#[inline(always)]
pub fn mutex_acquired(thread: &Thread, kind: Mutex, id: WaitId, call: impl Caller) {
    let Some(call) = call.for_possible_tool() else { return };
    acquired(thread, kind, id, call.codeptr());
}

/// `ompt_callback_mutex_acquire` and `ompt_callback_mutex_acquired`. `attempt` tries to take the lock at once, and says
/// whether it has. If not, `wait` takes the lock when it is free.
#[inline(always)]
pub fn mutex(
    thread: &Thread,
    kind: Mutex,
    hint: c_uint,
    id: WaitId,
    call: impl Caller,
    attempt: impl FnOnce() -> bool,
    wait: impl FnOnce(),
) {
    let Some(call) = call.for_possible_tool() else {
        if !attempt() {
            wait();
        }
        return;
    };
    let codeptr = call.codeptr();
    if let Some(callback) = on::mutex_acquire(thread) {
        // SAFETY: the tool registered the callback for this event.
        unsafe { callback(kind, hint, MUTEX_FUTEX, id, codeptr) };
        if attempt() {
            report::mutex_acquired(callback, || (kind, id, codeptr));
            return;
        }
        cold_path();
        drop(callback);
        wait();
    } else if !attempt() {
        wait();
    }
    acquired(thread, kind, id, codeptr);
}

#[inline(never)]
fn acquired(thread: &Thread, kind: Mutex, id: WaitId, codeptr: *const c_void) {
    report::mutex_acquired(thread, || (kind, id, codeptr));
}

/// `ompt_callback_mutex_released`.
#[inline(always)]
pub fn mutex_released(thread: &Thread, kind: Mutex, id: WaitId, call: impl Caller) {
    let Some(call) = call.for_possible_tool() else { return };
    report::mutex_released(thread, || (kind, id, call.codeptr()));
}

/// `ompt_callback_nest_lock`: the owner of a nestable lock has set or unset it once more.
#[inline(always)]
pub fn nest_lock(thread: &Thread, endpoint: ScopeEndpoint, id: WaitId, call: impl Caller) {
    let Some(call) = call.for_possible_tool() else { return };
    report::nest_lock(thread, || (endpoint, id, call.codeptr()));
}
