//! How long a worker sleeps between two regions.

use std::cell::Cell;

/// A worker's memory of its sleeps between regions, in nanoseconds. Owner only.
#[derive(Default)]
pub struct Gaps {
    /// When the sleep began that is under way; 0 if the worker has not slept since its last region.
    pub(crate) since: Cell<u64>,
    /// How long the last sleep was.
    pub(crate) last: Cell<u64>,
    /// How long the next one will be, if the last ones were alike; 0 if they were not.
    pub(crate) expected: Cell<u64>,
    /// Whether the worker is up before its time, and is to spin once more.
    pub(crate) is_early: Cell<bool>,
}
