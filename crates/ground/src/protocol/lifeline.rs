//! Words through which a member that creates tasks gives one to a member that has none.
//!
//! Each member has a lifeline. A member that searches in vain *opens* its lifeline. A member that creates a task, and
//! has other work, looks at the lifelines of its *partners*, the members whose numbers differ from its own in one bit.
//! It puts the task into an open one. So the tasks of a tree reach all members after as many generations as numbers
//! have bits, and the receivers need not search. `task/README.md` has the protocol; `tests/loom_lifeline.rs` checks
//! this very code.
//!
//! Saraswat, Kambadur, Kodali, Grove and Krishnamoorthy: *Lifeline-based global load balancing* (PPoPP 2011). There an
//! idle process registers with its partners. Here the partners share memory and look: a look at a word that nobody
//! changes is free.
//!
//! | the word | meaning | changed by |
//! | --- | --- | --- |
//! | closed | the member has work, sleeps, or is not at a barrier | its owner: opens |
//! | open | the member wants a task | its owner: closes; a partner: puts an item in |
//! | an item | the item is the owner's | its owner: takes the item, and the word is closed |
//!
//! The owner closes the word before it executes anything else, before it sleeps, and before it leaves the barrier. An
//! item in the lifeline of such a member would wait as long as the member does.

use crate::model::atomic::{AtomicPtr, Ordering};
use crate::model::{self, mutation};

/// A member's lifeline. Items are pointers with addresses above 1.
pub struct Lifeline<T>(AtomicPtr<T>);

/// The value of an open lifeline, which is no item's address.
fn open<T>() -> *mut T {
    std::ptr::without_provenance_mut(1)
}

impl<T> Default for Lifeline<T> {
    fn default() -> Self {
        Lifeline(AtomicPtr::new(std::ptr::null_mut()))
    }
}

impl<T> Lifeline<T> {
    /// Opens the lifeline, which is closed. Owner only.
    #[inline]
    pub fn open(&self) {
        // No other thread changes a closed word, and the word alone says nothing about other memory.
        self.0.store(open(), Ordering::Relaxed);
    }

    /// Whether the lifeline has an item. Owner only.
    #[inline]
    pub fn has_item(&self) -> bool {
        self.0.load(Ordering::Relaxed).addr() > 1
    }

    /// Closes the lifeline. Returns the item that it had, which is the caller's now. Owner only.
    #[inline]
    pub fn close(&self) -> Option<*const T> {
        // Acquire: what the giver has written into the item is visible.
        let order = mutation::or_relaxed("lifeline: taken relaxed", Ordering::Acquire);
        let item = if mutation::is("lifeline: closed in two steps") {
            let item = self.0.load(order);
            self.0.store(std::ptr::null_mut(), Ordering::Relaxed);
            item
        } else {
            self.0.swap(std::ptr::null_mut(), order)
        };
        (item.addr() > 1).then_some(item.cast_const())
    }

    /// Puts `item` into the lifeline. Returns false if the lifeline is not open; the item is the caller's then. Any
    /// thread.
    #[inline]
    pub fn give(&self, item: *const T) -> bool {
        let order = mutation::or_relaxed("lifeline: given relaxed", Ordering::Release);
        self.0.compare_exchange(open(), item.cast_mut(), order, Ordering::Relaxed).is_ok()
    }
}

/// Member `tid` of a team of `nthreads` offers `item` to its partners, near ones first. Returns whether a partner has
/// the item now; the item is the caller's otherwise. `lifeline` is that of a member.
#[inline(never)]
pub fn offer<'a, T: 'a>(tid: u32, nthreads: u32, item: *const T, lifeline: impl Fn(u32) -> &'a Lifeline<T>) -> bool {
    let bits = 0..nthreads.next_power_of_two().trailing_zeros();
    let partners = bits.map(|bit| tid ^ 1 << bit).filter(|&partner| partner < nthreads).map(lifeline);
    let look = |partner: &'a Lifeline<T>| (partner.0.load(Ordering::Relaxed).addr() == 1).then_some(partner);
    // All looks, where a search that ends at the first open word would wait for one line after the other.
    let first = model::look_at_all(partners, look).fold(None, Option::or);
    first.is_some_and(|partner| partner.give(item))
}
