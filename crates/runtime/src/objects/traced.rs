//! What tracing keeps of a thread of a device.

use ompt::Id;
use std::cell::Cell;

/// What tracing keeps of a thread of a device. The thread alone uses it.
#[derive(Default)]
pub struct OfThread {
    /// Its number on the device, from 1; 0 while it has none.
    pub(crate) number: Cell<u32>,
    /// The target region that it works for.
    pub(crate) target: Cell<Id>,
    /// How many teams the kernel has, as far as the thread that runs it knows.
    pub(crate) teams: Cell<u32>,
}
