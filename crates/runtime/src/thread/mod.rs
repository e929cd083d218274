//! Threads: the descriptor of each, how code finds its own, the pool of idle ones, waiting, and what
//! happens to them at `fork` and `exit`.
//!
//! A descriptor lives for ever once made and is used again after its thread has ended, so that a
//! stale pointer to one is never dangling. A foreign thread (one that the runtime did not create)
//! that enters any door becomes a root: it gets a descriptor and an initial task (OpenMP 5.1 §1.3).

pub mod apart;
pub mod helpers;
pub mod masks;
pub mod places;
pub mod pool;
pub mod process;
pub mod root;
pub mod roster;
mod team;
pub mod wait;
