//! Constructs that belong to no team: locks, critical sections, atomic operations.

pub mod atomic;
pub mod critical;
pub mod lock;
pub mod nest_lock;
