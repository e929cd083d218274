//! A value that the members of a team share during one construct: the first member that comes makes the value, the last
//! one that leaves takes it down. Constructs may nest. The protocol is in `task/README.md`; `tests/loom_shared.rs`
//! checks this very code.
//!
//! An example with two members, which come at the same time:
//!
//! 1. Thread 1 finds the slot empty and makes an entry. Meanwhile thread 2 does the same.
//! 2. Thread 1 puts its entry into the slot by an exchange. Thread 2's exchange fails. It drops its own entry, looks
//!    again, and finds thread 1's.
//! 3. Thread 1 leaves: it adds one to `left` and is not the last. From here on it does not touch the entry.
//! 4. Thread 2 leaves and is the last. Its addition to `left` is an acquire, so it sees what thread 1 did to the value.
//!    It empties the slot and has the value for itself.

use crate::model::atomic::{AtomicPtr, AtomicU32, Ordering};
use crate::model::mutation;

/// Where members find the values of the constructs under way, the innermost first; null between constructs.
pub struct Slot<T>(AtomicPtr<Entry<T>>);

/// The value of one construct.
pub struct Entry<T> {
    /// How many constructs are around this one.
    depth: u32,
    /// The entry that was in the slot before, of the construct around this one.
    below: *mut Entry<T>,
    /// Members that have left the construct.
    left: AtomicU32,
    /// What the members share.
    pub value: T,
}

impl<T> Slot<T> {
    /// A member comes to the construct that `depth` others are around. `make` makes the value, for nothing if another
    /// member is faster. The entry stays until all members have left it.
    pub fn enter(&self, depth: u32, make: impl Fn() -> T) -> *const Entry<T> {
        loop {
            // Acquire: the value is seen whole.
            let top = self.0.load(Ordering::Acquire);
            if let Some(present) = find(top, depth) {
                return present;
            }
            let fresh = Box::into_raw(Box::new(Entry { depth, below: top, left: AtomicU32::new(0), value: make() }));
            // Release: as above.
            let order = mutation::or_relaxed("shared: entered relaxed", Ordering::AcqRel);
            match self.0.compare_exchange(top, fresh, order, Ordering::Relaxed) {
                Ok(_) => return fresh,
                // SAFETY: made just now, and no other thread has seen the entry.
                Err(_) => drop(unsafe { Box::from_raw(fresh) }),
            }
        }
    }

    /// A member leaves the construct, and has left those inside. The last of `members` gets the value, which no
    /// other thread uses any more.
    ///
    /// # Safety
    /// `entry` comes from [`enter`](Self::enter), and the member has not left it.
    pub unsafe fn leave(&self, entry: *const Entry<T>, members: u32) -> Option<T> {
        // SAFETY: this member has not left.
        let left = unsafe { &(*entry).left };
        // AcqRel: the last one sees what all others did.
        if left.fetch_add(1, mutation::or_relaxed("shared: left relaxed", Ordering::AcqRel)) + 1 < members {
            return None;
        }
        // SAFETY: all have left.
        let entry = unsafe { Box::from_raw(entry.cast_mut()) };
        // Release: a member that comes to the next construct finds this entry gone.
        self.0.store(entry.below, Ordering::Release);
        Some(entry.value)
    }

    /// Takes down what a cancelled region has left behind, because not all members came to the end of its constructs.
    /// Between regions.
    pub fn clear(&self) {
        let mut next = self.0.swap(std::ptr::null_mut(), Ordering::AcqRel);
        while !next.is_null() {
            // SAFETY: no member of the region is left.
            next = unsafe { Box::from_raw(next) }.below;
        }
    }
}

/// The entry of a construct, at `top` or below.
fn find<T>(top: *mut Entry<T>, depth: u32) -> Option<*const Entry<T>> {
    let mut next = top;
    // SAFETY: null, or an entry of this construct, of one inside or of one around it, none of which ends before this
    // member has left.
    while let Some(entry) = unsafe { next.as_ref() } {
        if entry.depth == depth {
            return Some(next);
        }
        next = entry.below;
    }
    None
}

impl<T> Default for Slot<T> {
    /// A slot of a team that has met no construct.
    fn default() -> Self {
        Slot(AtomicPtr::new(std::ptr::null_mut()))
    }
}
