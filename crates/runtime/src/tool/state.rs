//! How far the activation of tools has come.

use crate::model::atomic::{AtomicPtr, AtomicU32, Ordering};
use crate::objects::structures::Thread;

pub(crate) const DOWN: u32 = 0;

pub(crate) const COMING_UP: u32 = 1;

pub(crate) const UP: u32 = 2;

/// How far the tool has been activated.
pub(crate) static STATE: AtomicU32 = AtomicU32::new(DOWN);

/// The descriptor of the thread that activates the tool.
pub(crate) static ACTIVATOR: AtomicPtr<Thread> = AtomicPtr::new(std::ptr::null_mut());

/// Whether this thread is activating tools: in their initialisers it is a root already, whose initial task has not
/// begun. Async-signal-safe.
pub fn is_activating(thread: &Thread) -> bool {
    STATE.load(Ordering::Acquire) == COMING_UP && std::ptr::eq(ACTIVATOR.load(Ordering::Relaxed), thread)
}
