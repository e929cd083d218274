//! Each tool's callbacks, and how many tools there are.

use crate::model::atomic::{AtomicPtr, AtomicUsize, Ordering};
use ::ompt::{Event, FunctionLookup};
use std::ffi::c_void;
use std::sync::OnceLock;

/// How many tools there can be.
pub const MOST: usize = 8;

/// How many tools share the process; 0 where there is one at most.
pub(super) static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Each tool's callbacks by the number of their event; null for none.
pub(super) static CALLBACKS: [[AtomicPtr<c_void>; Event::COUNT + 1]; MOST] =
    [const { [const { AtomicPtr::new(std::ptr::null_mut()) }; Event::COUNT + 1] }; MOST];

/// How many tools there are, if there are several.
pub(super) fn count() -> usize {
    COUNT.load(Ordering::Relaxed)
}

/// Whether tools share the process.
pub fn is_so() -> bool {
    count() != 0
}

/// The callback of a tool for an event, null if it has none.
pub fn callback(tool: usize, event: Event) -> *mut c_void {
    // Acquire: what the tool wrote before it registered the callback is seen in it.
    CALLBACKS[tool][event.0 as usize].load(Ordering::Acquire)
}

/// Gives the lookup function of devices for one tool.
type LookupOf = fn(usize) -> FunctionLookup;

/// What answers for devices' entry points.
static DEVICE_LOOKUP: OnceLock<LookupOf> = OnceLock::new();

/// Says what answers for devices' entry points. Before the first tool is initialised.
pub fn set_device_lookup(lookup: LookupOf) {
    DEVICE_LOOKUP.get_or_init(|| lookup);
}

/// The lookup function of devices for tool `tool`, by which the tool has a trace of its own. None where no tool has
/// been initialised.
pub fn device_lookup(tool: usize) -> Option<FunctionLookup> {
    DEVICE_LOOKUP.get().map(|lookup| lookup(tool))
}
