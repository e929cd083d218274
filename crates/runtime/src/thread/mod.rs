//! Threads: the pool of idle ones, descriptors of new ones, waiting, and where they run.
//!
//! A descriptor lives for ever once made and is used again after its thread has ended, so that a
//! stale pointer to one is never dangling. A foreign thread (one that the runtime did not create)
//! that enters any entry point becomes a root (`process/root.rs`).

pub mod helpers;
pub mod pool;
pub mod roster;
mod team;
pub mod wait;
