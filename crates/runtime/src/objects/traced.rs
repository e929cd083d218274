//! What tracing keeps of a thread of a device.

use ompt::Id;
use std::cell::Cell;

/// What trace records contain of a thread of a device. The thread alone uses it.
#[derive(Default)]
pub struct OfThread {
    /// The thread's number on the device, from 1; 0 while it has none.
    pub(crate) number: Cell<u32>,
    /// The target region that the thread executes.
    pub(crate) target: Cell<Id>,
    /// The number of teams of the kernel, as far as the thread knows it.
    pub(crate) teams: Cell<u32>,
}
