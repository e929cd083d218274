//! Parking: the futex, and the event and the mutex that are built on it. Everything that sleeps in the runtime sleeps
//! here.

pub mod event;
pub mod futex;
pub mod mutex;
pub mod waiter;
