//! Threads: the pool of idle workers, descriptors, waiting.
//!
//! Descriptors are never freed, so a stale pointer to one never dangles. A descriptor whose thread has ended is used
//! again. A foreign thread, one that the runtime did not create, becomes a root when it enters any entry point
//! (`process/root.rs`).

pub mod gaps;
pub mod helpers;
pub mod pool;
pub mod roster;
mod team;
pub mod wait;
