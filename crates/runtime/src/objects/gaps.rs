//! How long a worker sleeps between two regions.

use std::cell::Cell;

/// A worker's memory of its sleeps between regions, in nanoseconds. Owner only.
#[derive(Default)]
pub struct Gaps {
    /// When the sleep began that is under way; 0 if the worker has not slept since its last region.
    pub(crate) since: Cell<u64>,
    /// The shortest and the longest of the last sleeps. They move towards the others when they are not seen again.
    pub(crate) shortest: Cell<u64>,
    pub(crate) longest: Cell<u64>,
    /// How many sleeps in a row were alike.
    pub(crate) alike: Cell<u32>,
    /// Until when the worker spins before it sleeps until it is woken; 0 if it does not.
    pub(crate) spins_until: Cell<u64>,
}
