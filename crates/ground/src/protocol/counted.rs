//! How many shares there are in an object that several threads own together. Whoever gives up the last one may use the
//! object for something else.
//!
//! The protocol stands in `task/README.md`; `tests/loom_counted.rs` checks this very code.

use crate::model::atomic::{AtomicU32, Ordering};
use crate::model::mutation;

/// The number of shares.
pub struct Count(AtomicU32);

impl Count {
    /// One share.
    pub fn one() -> Count {
        Count(AtomicU32::new(1))
    }

    /// One share more, by a thread that has one.
    #[inline(always)]
    pub fn more(&self) {
        // Relaxed: the caller's own share keeps the object.
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    /// One share less. Returns whether it was the last one: then the object is the caller's alone.
    #[inline(always)]
    pub fn less(&self) -> bool {
        // Release: what this thread has done with the object. Acquire: the last thread sees what all others have done.
        self.0.fetch_sub(1, mutation::or_relaxed("counted: given up relaxed", Ordering::AcqRel)) == 1
    }
}
