//! Partial results of a reduction, which threads merge in pairs. A thread that finds no partner puts its result on
//! offer and waits until another thread has taken the result.
//!
//! The protocol stands in `work/README.md`; `tests/loom_partial.rs` checks this very code.
//!
//! An example with three threads:
//!
//! 1. Thread 1 finds the place empty, puts its result on offer, and waits.
//! 2. Thread 2 takes that result by an exchange, and merges the values into its own. Meanwhile thread 3 finds the place
//!    empty, puts its result on offer, and waits.
//! 3. Thread 2 marks thread 1's result as taken. The mark is a release behind the merge, so thread 1 may return now and
//!    use its stack again.
//! 4. Thread 2 holds the values of two threads of three. It looks again, takes thread 3's result, and holds all.
//!
//! If the mark came before the merge, thread 2 would read values from a stack frame that is gone.

use crate::model::atomic::{AtomicBool, AtomicPtr, Ordering};
use crate::model::mutation;
use std::ffi::c_void;

/// A partial result: on the stack of the thread that waits for another to take it.
pub struct Partial {
    data: *mut c_void,
    /// How many threads' values are in the result. Written by the owner, read by the taker.
    pub threads: u32,
    /// Set by the taker, which does not touch the values any more.
    taken: AtomicBool,
}

/// Where one partial result may be on offer. Zeroed memory is an empty place.
#[derive(Default)]
#[repr(transparent)]
pub struct Offer(AtomicPtr<Partial>);

impl Partial {
    /// The values behind `data` of the calling thread alone.
    pub fn new(data: *mut c_void) -> Self {
        Partial { data, threads: 1, taken: AtomicBool::new(false) }
    }

    /// Whether another thread has merged the values into its own. The owner's memory may go then.
    pub fn is_taken(&self) -> bool {
        // Acquire: the taker's reads of the values come before their end.
        self.taken.load(Ordering::Acquire)
    }

    /// Merges the values of `other`, taken from an [`Offer`], into these, by `merge`, and lets the other thread go. The
    /// caller wakes that thread.
    ///
    /// # Safety
    /// `other` comes from [`Offer::take`] or [`Offer::present`], and no thread has taken it before.
    pub unsafe fn merge(&mut self, other: *const Partial, merge: impl FnOnce(*mut c_void, *mut c_void)) {
        // SAFETY: the owner of `other` waits until it is marked as taken, so it is alive up to the store below.
        unsafe {
            if mutation::is("partial: let go before it is merged") {
                (*other).taken.store(true, Ordering::Release);
            }
            merge(self.data, (*other).data);
            self.threads += (*other).threads;
            (*other).taken.store(true, mutation::or_relaxed("partial: let go relaxed", Ordering::Release));
        }
    }
}

impl Offer {
    /// Empties the place, which no thread uses at the time.
    pub fn clear(&self) {
        self.0.store(std::ptr::null_mut(), Ordering::Relaxed);
    }

    /// Takes the result on offer for the caller alone; `None` if there is none.
    pub fn take(&self) -> Option<*const Partial> {
        // Acquire: what the other thread's values are made of must be seen.
        let order = mutation::or_relaxed("partial: taken relaxed", Ordering::Acquire);
        let other = self.0.swap(std::ptr::null_mut(), order);
        (!other.is_null()).then_some(other.cast_const())
    }

    /// The result on offer, in a place that one thread alone takes from; null if there is none yet.
    pub fn present(&self) -> *const Partial {
        // Acquire: as in `take`.
        self.0.load(Ordering::Acquire)
    }

    /// Puts `mine` on offer if the place is empty; whether it was. If so, `mine` stays where it is until it
    /// [is taken](Partial::is_taken).
    pub fn put(&self, mine: &Partial) -> bool {
        // Release: the taker sees what the values are made of.
        let order = mutation::or_relaxed("partial: offered relaxed", Ordering::Release);
        let mine = std::ptr::from_ref(mine).cast_mut();
        self.0.compare_exchange(std::ptr::null_mut(), mine, order, Ordering::Relaxed).is_ok()
    }

    /// Merges partial results until `mine` has been taken by another thread (false) or holds the values of all
    /// `nthreads` (true). `merge` merges what [`Partial::merge`] is to, and wakes the other thread; `wait` waits until
    /// `mine` is taken.
    pub fn meet(
        &self,
        mine: &mut Partial,
        nthreads: u32,
        mut merge: impl FnMut(&mut Partial, *const Partial),
        wait: impl FnOnce(&Partial),
    ) -> bool {
        while mine.threads < nthreads {
            if let Some(other) = self.take() {
                merge(mine, other);
            } else if self.put(mine) {
                wait(mine);
                break;
            }
        }
        mine.threads == nthreads
    }
}
