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
//!
//! In large teams one place would be a line that all threads change, one after the other. There the pairs are fixed
//! ([`meet_in_pairs`]), and each thread has a place of its own.

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
    /// `other` comes from [`Offer::take`] or [`Offer::take_alone`], and no thread has taken it before.
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

    /// As [`take`](Self::take), for a place that one thread alone takes from.
    pub fn take_alone(&self) -> Option<*const Partial> {
        // Acquire: as in `take`.
        let other = self.0.load(mutation::or_relaxed("partial: taken alone relaxed", Ordering::Acquire));
        if other.is_null() {
            return None;
        }
        // Before the other thread is let go: it may offer its next result at once, which must not be lost.
        if !mutation::is("partial: a result taken alone stays on offer") {
            self.0.store(std::ptr::null_mut(), Ordering::Relaxed);
        }
        Some(other.cast_const())
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

/// The threads that merge their results in fixed pairs, as one of them sees them.
pub trait Pairs {
    /// Where thread `tid` offers its results, and only those.
    fn offer(&self, tid: u32) -> &Offer;

    /// Merges what [`Partial::merge`] is to.
    fn merge(&self, mine: &mut Partial, other: *const Partial);

    /// Waits until `ready`, which another thread makes true and then notifies this one.
    fn wait(&self, ready: impl FnMut() -> bool);

    /// Wakes thread `tid`, if it waits.
    fn notify(&self, tid: u32);
}

/// Merges partial results in fixed pairs: those of threads 0 and 1, 2 and 3, then 0 and 2, and so on, the lower number
/// first. True for thread 0, which has the results of all `nthreads` then; false for the others, whose results have
/// been taken. All threads of `pairs` make the same calls.
pub fn meet_in_pairs(mine: &mut Partial, tid: u32, nthreads: u32, pairs: &impl Pairs) -> bool {
    let mut step = 1;
    while step < nthreads && tid & step == 0 {
        if tid + step < nthreads {
            let offer = pairs.offer(tid + step);
            let mut other = None;
            pairs.wait(|| {
                other = offer.take_alone();
                other.is_some()
            });
            if let Some(other) = other {
                pairs.merge(mine, other);
                pairs.notify(tid + step);
            }
        }
        step *= 2;
    }
    if tid != 0 {
        // The place is empty: the thread's last result was taken.
        let order = mutation::or_relaxed("partial: offered in pairs relaxed", Ordering::Release);
        pairs.offer(tid).0.store(std::ptr::from_mut(mine), order);
        pairs.notify(tid - step);
        pairs.wait(|| mine.is_taken());
    }
    tid == 0
}
