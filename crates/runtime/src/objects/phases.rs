//! How long a member's phases are, from one barrier to the next.

use std::cell::Cell;

/// A member's memory of its last phases, kept while there are more threads than CPUs. Owner only.
#[derive(Default)]
pub struct Phases {
    /// When the member went on after its last barrier, in nanoseconds; 0 if it has passed none.
    pub(crate) since: Cell<u64>,
    /// How often phases have been long of late: more with each long one, and less with each short one.
    pub(crate) long: Cell<u32>,
    /// After so many more barriers the member lets other threads go first.
    pub(crate) yields: Cell<u32>,
    /// How many barriers the member has passed without that since it last did.
    pub(crate) tried: Cell<u32>,
    /// For how many barriers the member last began to let others go first.
    pub(crate) lasted: Cell<u32>,
}
