//! The callbacks of each tool, and the number of tools.

use crate::model::atomic::{AtomicPtr, AtomicUsize, Ordering};
use ::ompt::Event;
use std::ffi::c_void;

/// The most tools that can share a process.
pub const MOST: usize = 8;

/// How many tools share the process; 0 where there is one at most.
pub(super) static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Each tool's callbacks by the number of their event; null for none. Empty where there is one tool at most.
pub(super) static CALLBACKS: [[AtomicPtr<c_void>; Event::COUNT + 1]; MOST] =
    [const { [const { AtomicPtr::new(std::ptr::null_mut()) }; Event::COUNT + 1] }; MOST];

/// How many tools share the process; 0 where there is one at most.
pub(super) fn count() -> usize {
    COUNT.load(Ordering::Relaxed)
}

/// Whether tools share the process.
pub fn is_so() -> bool {
    count() != 0
}

/// The callback of one of several tools for an event, null if it has none.
pub(super) fn callback(tool: usize, event: Event) -> *mut c_void {
    // Acquire: the callback sees what the tool wrote before it registered the callback.
    CALLBACKS[tool][event.0 as usize].load(Ordering::Acquire)
}
