//! The state of the activation of tools.

use crate::model::atomic::{AtomicPtr, AtomicU32, Ordering};
use crate::objects::structures::Thread;
use crate::park::futex;

pub(crate) const DOWN: u32 = 0;
pub(crate) const COMING_UP: u32 = 1;
pub(crate) const UP: u32 = 2;

/// Whether tools have been activated: [`DOWN`], [`COMING_UP`] or [`UP`].
pub(crate) static STATE: AtomicU32 = AtomicU32::new(DOWN);

/// The descriptor of the thread that activates tools.
pub(crate) static ACTIVATOR: AtomicPtr<Thread> = AtomicPtr::new(std::ptr::null_mut());

/// Whether this thread is activating tools. In a tool's initialiser the thread is a root already, and its initial task
/// has not begun. Async-signal-safe.
pub fn is_activating(thread: &Thread) -> bool {
    STATE.load(Ordering::Acquire) == COMING_UP && std::ptr::eq(ACTIVATOR.load(Ordering::Relaxed), thread)
}

/// Tools are activated. Wakes the threads that wait for that.
pub(crate) fn set_up() {
    STATE.store(UP, Ordering::Release);
    futex::wake(&STATE, i32::MAX);
}
