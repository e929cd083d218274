//! A list of free blocks that other threads return to their owner. Many push; the owner takes the whole list at once.
//!
//! The protocol stands in `task/README.md`; `tests/loom_returned.rs` checks this very code.
//!
//! An example: the list's head is block H, thread 1 gives block A, and thread 2 gives block B.
//!
//! 1. Thread 1 reads the head H, and writes the link from A to H.
//! 2. Meanwhile thread 2 puts B in front. The list is B, H.
//! 3. Thread 1's exchange of the head fails and returns B. Thread 1 writes the link again, from A to B, and exchanges
//!    the head. The list is A, B, H.
//!
//! Without the second link the list would be A, H, and block B would be lost.

use crate::model::atomic::{AtomicPtr, Ordering};
use crate::model::mutation;

/// The list. Where a block keeps the link to the next one is the caller's.
pub struct Returned<T>(AtomicPtr<T>);

impl<T> Returned<T> {
    /// Puts `block` in front. `link` writes the next block into it, null for none. The caller does not use the block
    /// any more.
    pub fn give(&self, block: &T, link: impl Fn(*const T)) {
        let mut head = self.0.load(Ordering::Relaxed);
        link(head);
        loop {
            let new = std::ptr::from_ref(block).cast_mut();
            // Release: the owner sees the link, and that the giver no longer uses the block.
            let order = mutation::or_relaxed("returned: given relaxed", Ordering::Release);
            match self.0.compare_exchange_weak(head, new, order, Ordering::Relaxed) {
                Ok(_) => return,
                Err(now) => head = now,
            }
            if !mutation::is("returned: the link is not written again") {
                link(head);
            }
        }
    }

    /// Takes all blocks: the first one, null for none. Owner only: no other thread takes blocks out, so a head that
    /// `give` has read cannot be taken out and come back meanwhile.
    pub fn take_all(&self) -> *const T {
        if self.0.load(Ordering::Relaxed).is_null() {
            return std::ptr::null();
        }
        // Acquire pairs with the release in `give`.
        self.0.swap(std::ptr::null_mut(), mutation::or_relaxed("returned: taken relaxed", Ordering::Acquire))
    }
}

impl<T> Default for Returned<T> {
    fn default() -> Self {
        Returned(AtomicPtr::new(std::ptr::null_mut()))
    }
}
