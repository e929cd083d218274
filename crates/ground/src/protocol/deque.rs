//! A member's queue of tasks: its owner pushes and pops at the bottom, thieves steal at the top.
//!
//! The queue of Chase and Lev with the orderings of Lê et al. `task/README.md` says what tasks need of the queue;
//! `tests/loom_deque.rs` checks this very code.
//!
//! # The words
//!
//! Items are numbered in the order in which they are pushed. The queue has those from `top` up to `bottom`, without
//! `bottom`. Item `n` lies in slot `n` modulo the number of slots.
//!
//! - `bottom` is the owner's. A push writes the slot and then moves `bottom` up; a pop moves `bottom` down and then
//!   reads the slot.
//! - `top` belongs to all threads, and only grows. A thread takes the oldest item by the compare-and-exchange that
//!   moves `top` past the item. The exchange succeeds for one thread, so an item has one taker.
//! - The buffer is replaced by one of twice the size when all slots are in use. An outgrown buffer stays until the
//!   queue goes, because a thief may still read a slot of it; the slots of items that such a thief can win do not
//!   change any more.
//!
//! A pop takes the newest item without an exchange, as long as the item is not the oldest as well. This is what makes
//! the owner's end cheap, and what the orderings are for.
//!
//! # Where one item is left
//!
//! The owner pops, while a thief steals. `top` is 4 and `bottom` is 5.
//!
//! | owner | thief |
//! | --- | --- |
//! | | reads `top`: 4. Fence |
//! | moves `bottom` to 4 by an exchange | |
//! | reads `top`: 4. The item is the last one, so the owner asks for it as a thief does | reads `bottom`: 5 or 4 |
//! | exchanges `top`: 4 → 5 | with 5, exchanges `top`: 4 → 5; with 4, the queue is empty |
//! | puts `bottom` back to 5 | |
//!
//! One of the two exchanges fails. With two items left, the owner takes the newest one without asking. That is sound
//! only because of the sequentially consistent order of the owner's exchange of `bottom` and the thief's fence. Say
//! that `top` is 3, and that the owner moves `bottom` from 5 to 4 and takes item 4:
//!
//! - A thief that comes to item 4 has read `top` as 4: item 3 was taken before.
//! - If the thief's fence comes before the owner's exchange, the owner reads `top` after that, and so reads 4. The
//!   owner knows that item 4 is the last one, and asks.
//! - If the fence comes after the exchange, the thief reads `bottom` as 4 and finds the queue empty.
//!
//! Without the fence the thief could read the old `bottom` and the owner the old `top`, and both would have item 4.
//!
//! # What else is ordered
//!
//! - `bottom` is always stored with release and read by thieves with acquire: a thief that sees item `n` counted sees
//!   the buffer and the slot of the item.
//! - A slot is stored with release and read with acquire. A thief that is late may find a newer item in the slot: its
//!   own item was taken and the slot used again. The thief's exchange will fail, but its condition (`allowed`) looks
//!   into the newer item before that.
//! - A push tells whether it found the queue empty, by a look at `top` after the exchange of `bottom`. The look is
//!   exact for the threads that fell asleep: one that found the queue empty looked before the exchange, so the push
//!   sees each theft that this thread had seen.

use crate::model::atomic::{AtomicIsize, AtomicPtr, Ordering, fence};
use crate::model::mutation;
use std::cell::Cell;
use std::hint::spin_loop;

/// Slots of the first buffer.
#[cfg(not(loom))]
const FIRST: usize = 256;
#[cfg(loom)]
const FIRST: usize = 2;

/// How long a thief leaves an only item to the owner, in pauses: about as long as a cache line takes from one CPU to
/// another.
const PATIENCE: u32 = 4;
/// How many only items in a row a thief leaves to the owner.
const LEFT: u32 = 8;

/// A ring of slots, whose number is a power of two.
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

/// The result of an attempt to steal.
#[derive(Debug, PartialEq, Eq)]
pub enum Stolen<T> {
    /// The oldest item, which is the caller's now.
    Taken(*const T),
    /// There was no item.
    Empty,
    /// The caller's condition refused the oldest item.
    Refused,
    /// Another thread took the oldest item meanwhile.
    Lost,
}

/// A queue of pointers. `push`, `holds`, `newest` and `pop` are for the owner alone, `is_empty` and `steal` for every
/// thread. The words are to lie on one cache line: both ends are read by each push, pop and theft.
pub struct Deque<T> {
    /// The number of the next item. Written by the owner, read by thieves.
    bottom: AtomicIsize,
    /// A value that `top` once had, so that a push need not read `top` to know of a free slot. Owner only.
    top_seen: Cell<isize>,
    /// The slots; null before the first push. Written by the owner, read by thieves.
    buffer: AtomicPtr<Buffer<T>>,
    /// The number of the oldest item. Moved by the thread that takes the item.
    top: AtomicIsize,
}

// SAFETY: only the owner uses the `Cell`; the rest is atomic. Items are handed from one thread to another with release
// and acquire.
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
    /// Publishes `item`. Returns whether the queue was empty, so that threads may have gone to sleep for want of work.
    /// `alone` says that there are no thieves; the result is false then. Owner only.
    #[inline(always)]
    pub fn push(&self, item: *const T, alone: bool) -> bool {
        let bottom = self.bottom.load(Ordering::Relaxed);
        let mut buffer = self.buffer.load(Ordering::Relaxed);
        // SAFETY: null or a buffer of this queue, which lives as long as the queue.
        let full = match unsafe { buffer.as_ref() } {
            // `top` only grows: what was free by an old value of `top` is free.
            Some(buffer) => bottom - self.top_seen.get() > buffer.mask as isize,
            None => true,
        };
        if full {
            buffer = self.make_room(bottom, buffer);
        }
        let stored = mutation::or_relaxed("deque: item stored relaxed", Ordering::Release);
        // SAFETY: not null now.
        unsafe { &*buffer }.slot(bottom).store(item.cast_mut(), stored);
        if alone {
            self.bottom.store(bottom + 1, Ordering::Release);
            false
        } else {
            self.set_bottom(bottom + 1);
            self.top.load(Ordering::SeqCst) >= bottom
        }
    }

    /// Whether there are at least `limit` items, by the value of `top` that the owner saw last; `look` reads `top`
    /// anew. Owner only.
    #[inline(always)]
    pub fn holds(&self, limit: usize, look: bool) -> bool {
        if look {
            self.top_seen.set(self.top.load(Ordering::Relaxed));
        }
        self.bottom.load(Ordering::Relaxed) - self.top_seen.get() >= limit as isize
    }

    /// Moves `bottom` before whatever the owner loads next. The exchange orders the two, and costs less than a fence.
    /// loom takes a sequentially consistent exchange for one with acquire and release, so a model has a fence as well.
    /// No mutation takes away the release alone: with that fence, a model finds no fault.
    #[inline(always)]
    fn set_bottom(&self, value: isize) {
        self.bottom.swap(value, Ordering::SeqCst);
        #[cfg(loom)]
        if !mutation::is("deque: bottom moved without a fence") {
            fence(Ordering::SeqCst);
        }
    }

    /// The buffer to push item `bottom` into: the present one if a look at `top` finds a free slot, else one of twice
    /// the size.
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

    /// Whether there was no item a moment ago. Any thread; the answer may be out of date when it comes.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.bottom.load(Ordering::Relaxed) <= self.top.load(Ordering::Relaxed)
    }

    /// The newest item, which stays in the queue. A thief may take the item at any time. Owner only.
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

    /// Takes the newest item. `alone` says that there are no thieves. Owner only.
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
        // Either a thief sees that the item is gone, or the owner sees that the thief took the item.
        self.set_bottom(last);
        let top = self.top.load(Ordering::SeqCst);
        if top < last {
            return Some(buffer.slot(last).load(Ordering::Relaxed));
        }
        self.pop_last(last, top, buffer)
    }

    /// Takes the item `last`, after which no item is left, as a thief would; or finds that a thief took the item.
    #[cold]
    fn pop_last(&self, last: isize, top: isize, buffer: &Buffer<T>) -> Option<*const T> {
        let item = buffer.slot(last).load(Ordering::Relaxed).cast_const();
        let won = mutation::is("deque: the owner takes the last item without asking")
            || top == last && self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed).is_ok();
        // Release, as every store of `bottom`: a thief that sees the value sees the buffer and the items.
        self.bottom.store(last + 1, Ordering::Release);
        won.then_some(item)
    }

    /// Reads `top`, then `bottom`. For thieves.
    #[inline(always)]
    fn look(&self) -> (isize, isize) {
        let top = self.top.load(Ordering::Acquire);
        // Between the two reads: pairs with the owner's exchange of `bottom` in `pop`.
        fence(Ordering::SeqCst);
        (top, self.bottom.load(Ordering::Acquire))
    }

    /// As [`look`](Self::look), but leaves an only item to the owner for a moment. A thread that waits for each task
    /// which it generates is about to take that task itself. The theft would cost that thread many times what a small
    /// task costs.
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
                // The owner does not want the item.
                break;
            }
        }
        (top, bottom)
    }

    /// Takes the oldest item, if `allowed` agrees. Any thread. `allowed` may be shown an item that another thread has
    /// taken already; then the answer does not matter.
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
            // SAFETY: made by `Buffer::new`; the queue is dropped, so no thread reads a buffer any more.
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
