//! Synchronisation that belongs to no team: futex, parking, locks, critical sections, atomic
//! operations.

#[cfg(not(loom))]
pub mod atomic;
#[cfg(not(loom))]
pub mod critical;
pub mod event;
pub mod futex;
#[cfg(not(loom))]
pub mod lock;
pub mod mutex;
#[cfg(not(loom))]
pub mod nest_lock;
#[cfg(not(loom))]
pub mod reduction;
