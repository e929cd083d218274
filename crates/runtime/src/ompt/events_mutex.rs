//! Events of mutual exclusion: locks, critical, atomic and ordered regions
//! (OpenMP 5.1 §4.5.2.15–17).

use super::entry::MUTEX_FUTEX;
use super::registry::on;
use crate::abi::Caller;
use ::ompt::{Mutex, ScopeEndpoint, WaitId};
use std::ffi::c_uint;

/// `ompt_callback_lock_init`.
#[inline(always)]
pub fn lock_init(kind: Mutex, hint: c_uint, id: WaitId, call: impl Caller) {
    if let Some(call) = call.told()
        && let Some(callback) = on::lock_init()
    {
        // SAFETY: the tool registered the callback for this event.
        unsafe { callback(kind, hint, MUTEX_FUTEX, id, call.codeptr()) };
    }
}

/// `ompt_callback_lock_destroy`.
#[inline(always)]
pub fn lock_destroy(kind: Mutex, id: WaitId, call: impl Caller) {
    if let Some(call) = call.told()
        && let Some(callback) = on::lock_destroy()
    {
        // SAFETY: the tool registered the callback for this event.
        unsafe { callback(kind, id, call.codeptr()) };
    }
}

/// `ompt_callback_mutex_acquire`: the thread is about to try.
#[inline(always)]
pub fn mutex_acquire(kind: Mutex, hint: c_uint, id: WaitId, call: impl Caller) {
    if let Some(call) = call.told()
        && let Some(callback) = on::mutex_acquire()
    {
        // SAFETY: the tool registered the callback for this event.
        unsafe { callback(kind, hint, MUTEX_FUTEX, id, call.codeptr()) };
    }
}

/// `ompt_callback_mutex_acquired`.
#[inline(always)]
pub fn mutex_acquired(kind: Mutex, id: WaitId, call: impl Caller) {
    if let Some(call) = call.told()
        && let Some(callback) = on::mutex_acquired()
    {
        // SAFETY: the tool registered the callback for this event.
        unsafe { callback(kind, id, call.codeptr()) };
    }
}

/// `ompt_callback_mutex_released`.
#[inline(always)]
pub fn mutex_released(kind: Mutex, id: WaitId, call: impl Caller) {
    if let Some(call) = call.told()
        && let Some(callback) = on::mutex_released()
    {
        // SAFETY: the tool registered the callback for this event.
        unsafe { callback(kind, id, call.codeptr()) };
    }
}

/// `ompt_callback_nest_lock`: a nestable lock was set or unset by its owner once more.
#[inline(always)]
pub fn nest_lock(endpoint: ScopeEndpoint, id: WaitId, call: impl Caller) {
    if let Some(call) = call.told()
        && let Some(callback) = on::nest_lock()
    {
        // SAFETY: the tool registered the callback for this event.
        unsafe { callback(endpoint, id, call.codeptr()) };
    }
}
