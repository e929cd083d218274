//! A value that the members of a team share during one construct: made by whoever comes first, taken down
//! by whoever leaves last. The protocol is in `task/README.md`; `tests/loom_shared.rs` checks it.

use crate::model::atomic::{AtomicPtr, AtomicU32, Ordering};

/// Where members find the value of the construct under way; null between constructs.
pub struct Slot<T>(AtomicPtr<Entry<T>>);

/// The value of one construct.
pub struct Entry<T> {
    /// The region, as the team counts them.
    region: u64,
    /// Members that have left the construct.
    left: AtomicU32,
    /// What they share.
    pub value: T,
}

impl<T> Slot<T> {
    /// A slot of a team that has met no construct.
    pub fn new() -> Self {
        Slot(AtomicPtr::new(std::ptr::null_mut()))
    }

    /// A member comes to the construct, in region `region`. `make` makes the value, for nothing if another
    /// member is faster. The entry stays until all members have left it.
    pub fn enter(&self, region: u64, make: impl Fn() -> T) -> *const Entry<T> {
        loop {
            // Acquire: the value is seen whole.
            let present = self.0.load(Ordering::Acquire);
            // SAFETY: null, or an entry of this construct, which stays until this member has left it too, or
            // one that a cancelled region has left behind, which stays until one of this region is there.
            if !present.is_null() && unsafe { (*present).region } == region {
                return present;
            }
            let fresh = Box::into_raw(Box::new(Entry { region, left: AtomicU32::new(0), value: make() }));
            // Release: as above.
            match self.0.compare_exchange(present, fresh, Ordering::AcqRel, Ordering::Relaxed) {
                Ok(stale) => {
                    if !stale.is_null() {
                        // SAFETY: no member of an earlier region is left, and none of this one took it.
                        drop(unsafe { Box::from_raw(stale) });
                    }
                    return fresh;
                }
                // SAFETY: nobody has seen it.
                Err(_) => drop(unsafe { Box::from_raw(fresh) }),
            }
        }
    }

    /// A member leaves the construct. The last of `members` gets the value, of which nobody else knows then.
    ///
    /// # Safety
    /// `entry` comes from [`enter`](Self::enter), and the member has not left it.
    pub unsafe fn leave(&self, entry: *const Entry<T>, members: u32) -> Option<T> {
        // SAFETY: this member has not left.
        let left = unsafe { &(*entry).left };
        // AcqRel: the last one sees what all others did.
        if left.fetch_add(1, Ordering::AcqRel) + 1 < members {
            return None;
        }
        // Release: whoever comes to the next construct finds the slot empty, or full again.
        self.0.store(std::ptr::null_mut(), Ordering::Release);
        // SAFETY: all have left.
        Some(unsafe { Box::from_raw(entry.cast_mut()) }.value)
    }
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        Self::new()
    }
}
