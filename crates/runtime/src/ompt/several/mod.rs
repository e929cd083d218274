//! Several tools at once (`FERROMP_TOOLS`, which OpenMP does not have): each has its own callbacks, data words and
//! answers.
//!
//! With two tools or more, the table of callbacks holds the runtime's own (`distribute.rs`), which call those of each
//! tool; each tool is given a lookup function of its own (`tool/entry/one.rs`); and each object's data word leads to
//! one word a tool (`words.rs`). With one tool nothing of this is used: the table holds the tool's callbacks.
//! `README.md` has the protocols.

mod callbacks;
mod distribute;
pub mod freelist;
pub mod words;

pub(crate) use callbacks::callback;
use callbacks::{CALLBACKS, COUNT, count};
pub use callbacks::{MOST, device_lookup, is_so, set_device_lookup};

use super::registry;
use crate::model::atomic::Ordering;
use crate::objects::structures::Thread;
use ::ompt::{Data, Event};
use std::ffi::c_void;

/// `tools` tools are about to be initialised.
pub fn prepare(tools: usize) {
    COUNT.store(tools, Ordering::SeqCst);
    for event in distribute::ENDS {
        registry::set(event, distribute::callback_of_all(event));
    }
}

/// Keeps a tool's callback (null for none) for an event, of which the caller has checked the number.
pub(crate) fn set(tool: usize, event: Event, callback: *mut c_void) {
    CALLBACKS[tool][event.0 as usize].store(callback, Ordering::Release);
    // It stays when the callback is removed: other tools may have one.
    registry::set(event, distribute::callback_of_all(event));
}

/// Takes all callbacks from a tool.
pub fn silence(tool: usize) {
    for callback in &CALLBACKS[tool] {
        callback.store(std::ptr::null_mut(), Ordering::SeqCst);
    }
}

/// Copies the tool's data word from one object to another, or every tool's.
///
/// # Safety
/// Both are data words of objects of the runtime's. Nobody else uses them meanwhile but tools that read the first.
pub unsafe fn copy(from: *mut Data, to: *mut Data) {
    match count() {
        // SAFETY: as the caller says.
        0 => unsafe { *to = *from },
        count => (0..count).for_each(|tool| {
            // SAFETY: as the caller says; each object has its own words.
            unsafe { *words::of(to, tool) = *words::of(from, tool) };
        }),
    }
}

/// What tool `tool` has written to an object's word, 0 if it has written nothing. Async-signal-safe.
///
/// # Safety
/// As for [`words::of`].
pub unsafe fn value(word: *mut Data, tool: usize) -> u64 {
    // SAFETY: as the caller says.
    unsafe { words::value(word, tool) }
}

/// What the one tool has written to an object's word, or the first of several that has written something; 0 if none
/// has.
///
/// # Safety
/// As for [`words::of`].
pub unsafe fn first_value(word: *mut Data) -> u64 {
    match count() {
        // SAFETY: as the caller says.
        0 => unsafe { (*word).value() },
        // SAFETY: as the caller says.
        count => (0..count).map(|tool| unsafe { words::value(word, tool) }).find(|&value| value != 0).unwrap_or(0),
    }
}

/// No further event names the object whose word this is: for objects whose end none of the events says that stand in
/// the table for that.
///
/// # Safety
/// As for [`words::of`].
pub unsafe fn end(word: *mut Data) {
    if is_so() {
        // SAFETY: as the caller says.
        unsafe { words::end(word) };
    }
}

/// Tells one tool, which ends its activity, of the ends of `thread`'s initial task and of the thread, which is the
/// calling one.
pub fn tell_end(tool: usize, thread: &Thread) {
    distribute::tell_end(tool, thread);
}
