//! What a thread keeps for OpenACC.

use std::cell::Cell;

/// What a thread has to do with OpenACC. Only the thread itself touches it.
#[derive(Default)]
pub struct AccThread {
    /// The activation of the device that the thread uses; 0 for none.
    pub(crate) activation: Cell<u32>,
    /// How many data regions the thread is in.
    pub(crate) regions: Cell<u32>,
    /// Whether the thread's events are told to nobody, by its own wish.
    pub(crate) silent: Cell<bool>,
    /// Whether the thread runs a callback now, whose own OpenACC is no event.
    pub(crate) in_callback: Cell<bool>,
}
