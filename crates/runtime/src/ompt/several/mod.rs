//! Several tools at once (`FERROMP_TOOLS`, an extension of OpenMP): each tool has its own callbacks, data words and
//! answers.
//!
//! With two tools or more, the table of callbacks holds the runtime's own functions (`distribute.rs`), which call the
//! callbacks of each tool (`callbacks.rs`). An object's data word leads to one word for each tool (`words.rs`). With
//! one tool, the table holds the tool's callbacks, and an object's data word is the tool's. `README.md` has the
//! protocols.

mod callbacks;
mod distribute;
pub mod freelist;
pub mod words;

use callbacks::{CALLBACKS, COUNT, count};
pub use callbacks::{MOST, is_so};
pub use distribute::report_end;

use super::registry;
use crate::model::atomic::Ordering;
use ::ompt::{Data, Event};
use std::ffi::c_void;

/// `tools` tools, two or more, are about to be initialised.
pub fn prepare(tools: usize) {
    COUNT.store(tools, Ordering::SeqCst);
    for event in distribute::ENDS {
        registry::set(event, distribute::callback_of_all(event));
    }
}

/// Registers the callback of `tool` (null for none) for an event, which must exist.
pub(crate) fn set(tool: usize, event: Event, callback: *mut c_void) {
    if !is_so() {
        return registry::set(event, callback);
    }
    CALLBACKS[tool][event.0 as usize].store(callback, Ordering::Release);
    // The function stays when the callback is removed: other tools may have one.
    registry::set(event, distribute::callback_of_all(event));
}

/// The callback of `tool` for an event, null if it has none.
pub(crate) fn callback(tool: usize, event: Event) -> *mut c_void {
    if is_so() { callbacks::callback(tool, event) } else { registry::get(event) }
}

/// Takes all callbacks from one of several tools.
pub fn silence(tool: usize) {
    for callback in &CALLBACKS[tool] {
        callback.store(std::ptr::null_mut(), Ordering::SeqCst);
    }
}

/// The word of `tool` for the object with the data word `object`; null for null. Async-signal-safe.
///
/// # Safety
/// As for [`words::of`].
pub unsafe fn word(object: *mut Data, tool: usize) -> *mut Data {
    // SAFETY: the caller keeps to the `# Safety` section.
    if is_so() { unsafe { words::of(object, tool) } } else { object }
}

/// Copies every tool's word from one object to another.
///
/// # Safety
/// Both are data words of objects of the runtime's. Only tools that read the first use them meanwhile.
pub unsafe fn copy(from: *mut Data, to: *mut Data) {
    for tool in 0..count().max(1) {
        // SAFETY: the caller's; each object has its own words.
        unsafe { *word(to, tool) = *word(from, tool) };
    }
}

/// What `tool` has written to an object's word, 0 if it has written nothing. Async-signal-safe.
///
/// # Safety
/// As for [`words::of`]; not null.
pub unsafe fn value(object: *mut Data, tool: usize) -> u64 {
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { if is_so() { words::value(object, tool) } else { (*object).value() } }
}

/// What the first tool has written that has written something to an object's word; 0 if none has.
///
/// # Safety
/// As for [`value`].
pub unsafe fn first_value(object: *mut Data) -> u64 {
    // SAFETY: the caller keeps to the `# Safety` section.
    (0..count().max(1)).map(|tool| unsafe { value(object, tool) }).find(|&value| value != 0).unwrap_or(0)
}

/// No further event names the object. For objects whose end is not one of the events in [`distribute::ENDS`].
///
/// # Safety
/// As for [`words::of`]; not null.
pub unsafe fn end(object: *mut Data) {
    if is_so() {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { words::end(object) };
    }
}
