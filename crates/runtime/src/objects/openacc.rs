//! What a thread keeps for OpenACC.

use std::cell::Cell;

/// A thread's state of OpenACC. The thread alone uses it.
#[derive(Default)]
pub struct AccThread {
    /// The activation of the device that the thread uses; 0 for none.
    pub(crate) activation: Cell<u32>,
    /// The number of data regions around the thread.
    pub(crate) regions: Cell<u32>,
    /// Whether the thread has switched its events off.
    pub(crate) silent: Cell<bool>,
    /// Whether the thread is in a callback. OpenACC inside a callback makes no events.
    pub(crate) in_callback: Cell<bool>,
}
