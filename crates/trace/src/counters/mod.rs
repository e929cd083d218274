//! Counters of the CPU and of the kernel, as `perf_event_open` gives them to a thread about itself.
//!
//! [`kind`] has the counters by their names; [`open`] counts for the calling thread.

pub mod kind;
pub mod open;

pub use kind::Counter;
pub use open::{Counters, Refusal, probe};

/// The most counters of a recording.
pub const MOST: usize = 16;
