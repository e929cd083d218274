//! A member's queue of tasks: its owner pushes and pops at the bottom, thieves steal at the top.
//!
//! The queue of Chase and Lev with the orderings of Lê et al. It grows; outgrown buffers stay until
//! the queue itself goes, because a thief may still look into one. See `task/README.md`;
//! `tests/loom_deque.rs` checks it.

use crate::model::atomic::{AtomicIsize, AtomicPtr, Ordering, fence};
use crate::model::mutation;
use std::cell::Cell;
use std::hint::spin_loop;

/// Slots of the first buffer.
#[cfg(not(loom))]
const FIRST: usize = 256;
#[cfg(loom)]
const FIRST: usize = 2;

/// How long a thief leaves an only item to its owner, in pauses: about as long as a line takes from one CPU to another.
const PATIENCE: u32 = 4;
/// How many only items in a row a thief leaves to their owner.
const LEFT: u32 = 8;

/// A ring of slots, a power of two of them.
struct Buffer<T> {
    mask: usize,
    slots: Box<[AtomicPtr<T>]>,
    /// The buffer that this one replaced.
    outgrown: *mut Buffer<T>,
}

impl<T> Buffer<T> {
    fn new(capacity: usize, outgrown: *mut Buffer<T>) -> *mut Self {
        let slots = (0..capacity).map(|_| AtomicPtr::new(std::ptr::null_mut())).collect();
        Box::into_raw(Box::new(Buffer { mask: capacity - 1, slots, outgrown }))
    }

    #[inline(always)]
    fn slot(&self, index: isize) -> &AtomicPtr<T> {
        // SAFETY: the mask keeps the index below the number of slots.
        unsafe { self.slots.get_unchecked(index as usize & self.mask) }
    }
}

/// What came of an attempt to steal.
#[derive(Debug, PartialEq, Eq)]
pub enum Stolen<T> {
    /// The oldest item, which is the caller's now.
    Taken(*const T),
    /// There was none.
    Empty,
    /// The caller's condition refused the oldest item.
    Refused,
    /// Another thread took the item meanwhile.
    Lost,
}

/// A queue of pointers. `push`, `pop`, `newest` and their kin are for the owner alone. To lie on one cache line:
/// whoever uses one end looks at the other as well.
pub struct Deque<T> {
    /// Where the owner pushes next. Owner writes, thieves read.
    bottom: AtomicIsize,
    /// A value that `top` once had. Owner only.
    top_seen: Cell<isize>,
    buffer: AtomicPtr<Buffer<T>>,
    /// Where thieves take. Written by whoever takes the oldest item.
    top: AtomicIsize,
}

// SAFETY: the `Cell` is the owner's; the rest is atomic, and the items are handed from one thread to
// another with release and acquire.
unsafe impl<T> Sync for Deque<T> {}
// SAFETY: as above.
unsafe impl<T> Send for Deque<T> {}

impl<T> Default for Deque<T> {
    fn default() -> Self {
        Deque {
            bottom: AtomicIsize::new(0),
            top_seen: Cell::new(0),
            buffer: AtomicPtr::new(std::ptr::null_mut()),
            top: AtomicIsize::new(0),
        }
    }
}

impl<T> Deque<T> {
    /// Publishes `item`. Returns whether the queue was empty, so that threads may have gone to sleep
    /// for want of work: one that found the queue empty did so before the item was published, and
    /// then this thread sees every theft that made it empty. `alone`: there are no thieves.
    #[inline(always)]
    pub fn push(&self, item: *const T, alone: bool) -> bool {
        let bottom = self.bottom.load(Ordering::Relaxed);
        let mut buffer = self.buffer.load(Ordering::Relaxed);
        // SAFETY: null or a buffer of this queue, which lives as long as the queue.
        let full = match unsafe { buffer.as_ref() } {
            // `top` only grows: room by an old value of it is room.
            Some(buffer) => bottom - self.top_seen.get() > buffer.mask as isize,
            None => true,
        };
        if full {
            buffer = self.make_room(bottom, buffer);
        }
        // SAFETY: not null now.
        unsafe { &*buffer }.slot(bottom).store(item.cast_mut(), Ordering::Release);
        if alone {
            self.bottom.store(bottom + 1, Ordering::Release);
            false
        } else {
            self.set_bottom(bottom + 1);
            self.top.load(Ordering::SeqCst) >= bottom
        }
    }

    /// Whether there are `limit` items, by what the owner knows; with `look` it asks how many were
    /// stolen meanwhile.
    #[inline(always)]
    pub fn holds(&self, limit: usize, look: bool) -> bool {
        if look {
            self.top_seen.set(self.top.load(Ordering::Relaxed));
        }
        self.bottom.load(Ordering::Relaxed) - self.top_seen.get() >= limit as isize
    }

    /// Moves `bottom`, and orders that before whatever the owner loads next. The exchange does so
    /// and costs less than a fence; loom knows no sequentially consistent accesses, only fences.
    #[inline(always)]
    fn set_bottom(&self, value: isize) {
        self.bottom.swap(value, Ordering::SeqCst);
        #[cfg(loom)]
        if !mutation::is("deque: bottom moved without a fence") {
            fence(Ordering::SeqCst);
        }
    }

    /// Looks at `top`, and doubles the buffer if it is full indeed.
    #[cold]
    fn make_room(&self, bottom: isize, buffer: *mut Buffer<T>) -> *mut Buffer<T> {
        let top = self.top.load(Ordering::Acquire);
        self.top_seen.set(top);
        // SAFETY: as in `push`.
        let old = unsafe { buffer.as_ref() };
        let capacity = old.map_or(0, |old| old.slots.len());
        if bottom - top < capacity as isize {
            return buffer;
        }
        let new = Buffer::new(if capacity == 0 { FIRST } else { capacity * 2 }, buffer);
        if let Some(old) = old {
            // SAFETY: made just now.
            let slots = unsafe { &*new };
            for index in top..bottom {
                let item = old.slot(index).load(Ordering::Relaxed);
                slots.slot(index).store(item, Ordering::Relaxed);
            }
        }
        // Release: a thief that sees the buffer sees its slots.
        self.buffer.store(new, Ordering::Release);
        new
    }

    /// Whether there was an item a moment ago. Exact for nobody.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.bottom.load(Ordering::Relaxed) <= self.top.load(Ordering::Relaxed)
    }

    /// The newest item, without taking it. A thief may take it at any time.
    #[inline(always)]
    pub fn newest(&self) -> Option<*const T> {
        if self.is_empty() {
            return None;
        }
        let buffer = self.buffer.load(Ordering::Relaxed);
        let last = self.bottom.load(Ordering::Relaxed) - 1;
        // SAFETY: there is a buffer, because something has been pushed.
        Some(unsafe { &*buffer }.slot(last).load(Ordering::Relaxed))
    }

    /// Takes the newest item.
    #[inline(always)]
    pub fn pop(&self, alone: bool) -> Option<*const T> {
        if self.is_empty() {
            return None;
        }
        let last = self.bottom.load(Ordering::Relaxed) - 1;
        // SAFETY: as in `newest`.
        let buffer = unsafe { &*self.buffer.load(Ordering::Relaxed) };
        if alone {
            self.bottom.store(last, Ordering::Release);
            return Some(buffer.slot(last).load(Ordering::Relaxed));
        }
        // Sequentially consistent: either thieves see that the item is gone, or this thread sees
        // that they took it.
        self.set_bottom(last);
        let top = self.top.load(Ordering::SeqCst);
        if top < last {
            return Some(buffer.slot(last).load(Ordering::Relaxed));
        }
        self.pop_last(last, top, buffer)
    }

    /// One item, or none, is left: the owner takes it as a thief would.
    #[cold]
    fn pop_last(&self, last: isize, top: isize, buffer: &Buffer<T>) -> Option<*const T> {
        let item = buffer.slot(last).load(Ordering::Relaxed).cast_const();
        let won = mutation::is("deque: the owner takes the last item without asking")
            || top == last && self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed).is_ok();
        // Release, as every store here: a thief that sees it sees the buffer and the items.
        self.bottom.store(last + 1, Ordering::Release);
        won.then_some(item)
    }

    /// Both ends, `top` first. For thieves.
    #[inline(always)]
    fn look(&self) -> (isize, isize) {
        let top = self.top.load(Ordering::Acquire);
        // Orders the look at `top` before the one at `bottom`, against the owner's swap in `pop`.
        fence(Ordering::SeqCst);
        (top, self.bottom.load(Ordering::Acquire))
    }

    /// As [`look`](Self::look), but an only item is left to its owner for a moment. Where a thread waits for each task
    /// that it generates, it is about to take that task itself, and the theft would cost it many times what the task
    /// does.
    #[inline(always)]
    fn look_patiently(&self) -> (isize, isize) {
        let (mut top, mut bottom) = self.look();
        for _ in 0..LEFT {
            if bottom - top != 1 {
                break;
            }
            for _ in 0..PATIENCE {
                spin_loop();
            }
            let seen = top;
            (top, bottom) = self.look();
            if top == seen {
                // Nobody has taken it.
                break;
            }
        }
        (top, bottom)
    }

    /// Takes the oldest item, if `allowed` agrees. Any thread. `allowed` may be shown an item that
    /// another thread has taken already; then its answer does not matter.
    pub fn steal(&self, allowed: impl FnOnce(*const T) -> bool) -> Stolen<T> {
        let (top, bottom) = self.look_patiently();
        if top >= bottom {
            return Stolen::Empty;
        }
        // SAFETY: there is a buffer, because `bottom` has moved; it lives as long as the queue.
        let buffer = unsafe { &*self.buffer.load(Ordering::Acquire) };
        let item = buffer.slot(top).load(Ordering::Acquire).cast_const();
        if !allowed(item) {
            return Stolen::Refused;
        }
        match self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed) {
            Ok(_) => Stolen::Taken(item),
            Err(_) => Stolen::Lost,
        }
    }
}

impl<T> Drop for Deque<T> {
    fn drop(&mut self) {
        let mut next = self.buffer.load(Ordering::Relaxed);
        while !next.is_null() {
            // SAFETY: made by `Buffer::new`, and nobody else has the queue any more.
            next = unsafe { Box::from_raw(next) }.outgrown;
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    /// Each item is a box that its taker frees: taken twice or handed over without its contents, a checker of memory
    /// sees it.
    #[test]
    fn items_come_whole_and_once_while_the_queue_grows() {
        const ITEMS: usize = if cfg!(miri) { 300 } else { 20_000 };
        let deque = Deque::default();
        let take = |item: *const usize| {
            // SAFETY: made by `Box::into_raw` below, and taken by this thread alone.
            *unsafe { Box::from_raw(item.cast_mut()) }
        };
        let sum: usize = std::thread::scope(|scope| {
            let deque = &deque;
            let thieves: Vec<_> = (0..2)
                .map(|_| {
                    scope.spawn(move || {
                        let (mut sum, mut misses) = (0, 0);
                        while misses < 200 {
                            match deque.steal(|_| true) {
                                Stolen::Taken(item) => sum += take(item),
                                _ => {
                                    misses += 1;
                                    std::thread::yield_now();
                                }
                            }
                        }
                        sum
                    })
                })
                .collect();
            let mut sum = 0;
            for number in 1..=ITEMS {
                deque.push(Box::into_raw(Box::new(number)), false);
                if number % 7 == 0
                    && let Some(item) = deque.pop(false)
                {
                    sum += take(item);
                }
            }
            while let Some(item) = deque.pop(false) {
                sum += take(item);
            }
            sum + thieves.into_iter().map(|thief| thief.join().expect("a thief ends")).sum::<usize>()
        });
        assert_eq!(sum, ITEMS * (ITEMS + 1) / 2);
    }
}
