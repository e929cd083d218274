//! One thread's events.
