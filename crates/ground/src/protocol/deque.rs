//! A member's queue of tasks: its owner pushes and pops at the bottom, thieves steal at the top.
//!
//! The queue of Chase and Lev with the orderings of Lê et al. `task/README.md` says what tasks need of the queue;
//! `tests/loom_deque.rs` checks this very code.
//!
//! # The words
//!
//! Items are numbered in the order in which they are pushed. The queue holds the items `top` to `bottom - 1`. The owner
//! uses a number again after a pop that leaves `top` alone. Item `n` lies in slot `n` modulo the number of slots.
//!
//! - `bottom` is the owner's. A push writes the slot and then moves `bottom` up; a pop moves `bottom` down and then
//!   reads the slot.
//! - `top` belongs to all threads, and only grows. A thread takes the oldest item by the compare-and-exchange that
//!   moves `top` past the item. The exchange succeeds for one thread, so an item has one taker.
//! - The buffer is replaced by one of twice the size when all slots are in use. An outgrown buffer stays until the
//!   queue is dropped, because a late thief may still read it. No thread writes its slots any more.
//!
//! A pop of the newest item does not compete for `top`, unless the item is also the oldest. This makes the owner's end
//! cheap. The orderings below make it sound.
//!
//! `alone` says that no thread is inside `steal`, and that none enters before the call returns. It holds in a team of
//! one thread, whose tasks are not offered to free agents. Earlier members that searched have confirmed that they
//! stopped.
//!
//! # Where one item is left
//!
//! The owner pops, while a thief steals. `top` is 4 and `bottom` is 5.
//!
//! | owner | thief |
//! | --- | --- |
//! | | reads `top`: 4. Fence |
//! | swaps `bottom` to 4 | |
//! | reads `top`: 4. The item is the only one, so the owner competes for it | reads `bottom`: 5 or 4 |
//! | compare-and-exchange of `top`, 4 to 5 | if it read 5, the same; if it read 4, the queue is empty |
//! | sets `bottom` to 5 again: `top` is 5 now, and equal means empty | |
//!
//! One of the two compare-and-exchanges fails. With two items left, the owner takes the newest one without competing.
//! This is sound because the owner's swap of `bottom` and the thief's fence are in one sequentially consistent order.
//! Say that `top` is 3, and that the owner swaps `bottom` from 5 to 4 and takes item 4:
//!
//! - A thief that comes to item 4 has read `top` as 4: item 3 was taken before.
//! - If the thief's fence comes before the owner's swap, the owner reads `top` after that, and so reads 4. The owner
//!   knows that item 4 is the only one, and competes.
//! - If the fence comes after the swap, the thief reads `bottom` as 4 and finds the queue empty.
//!
//! Without the fence the thief could read the old `bottom` and the owner the old `top`, and both would have item 4.
//!
//! # What else is ordered
//!
//! - `bottom` is always stored with release, and `steal` reads it with acquire: a thief that reads a `bottom` above `n`
//!   sees the buffer and the slot of item `n`.
//! - A slot is stored with release and read with acquire. A late thief may find a newer item in the slot: its own item
//!   was taken and the slot used again. The thief's condition (`allowed`) reads that item's fields. The owner had read
//!   the new `top` before it used the slot again, so the thief then sees that `top` has moved: its compare-and-exchange
//!   fails.
//! - A push reads `top` after the swap of `bottom`, to say whether the queue was empty. A thread searches in vain
//!   before it sleeps. If the search came before the swap, the push sees every theft that the search saw, finds the
//!   queue empty and says so. If the search came later, the search finds the item. A thread whose `allowed` refuses
//!   the oldest item may sleep nevertheless.

use crate::model::atomic::{AtomicIsize, AtomicPtr, Ordering, fence};
use crate::model::{self, mutation};
use std::cell::Cell;

/// Slots of the first buffer.
#[cfg(not(loom))]
const FIRST: usize = 256;
#[cfg(loom)]
const FIRST: usize = 2;

/// For how many pauses a thief that finds a single item leaves the item to the owner: about as long as a cache line
/// takes from one CPU to another.
const PATIENCE: u32 = 4;
/// After this many single items in a row, the thief takes one.
const MOST_SPARED: u32 = 8;

/// What [`Deque::push`] returns where the number of items does not matter.
pub const MANY: isize = isize::MAX;

/// As [`Deque::told_from`], a number of items that no queue has.
pub const NEVER: isize = MANY - 1;

/// The most items that a thief takes at once.
///
/// On a simulated machine of two sockets, 8, 16 and 32 are about as good for one producer's tasks. With 16, chains of
/// tasks are spread a little better.
#[cfg(not(loom))]
const MOST_TAKEN: isize = 16;
#[cfg(loom)]
const MOST_TAKEN: isize = 2;

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
    /// The caller's condition refused the oldest item, which is still there.
    Refused,
    /// Another thread took the oldest item meanwhile.
    Lost,
}

/// A queue of pointers. `push`, `holds`, `newest` and `pop` are for the owner alone, `is_empty` and `steal` for every
/// thread. A member keeps its queue on a cache line of its own (`Padded`), because a push, a pop and a theft usually
/// read both ends.
pub struct Deque<T> {
    /// The number of the next item. Written by the owner, read by thieves.
    bottom: AtomicIsize,
    /// An old value of `top`. A push uses it to know of a free slot before it moves `bottom`. Owner only. A relaxed
    /// read is enough to free a slot: a thief that reads the newer item there fails, because `top` has moved.
    top_seen: Cell<isize>,
    /// The slots; null before the first push. Written by the owner, read by thieves.
    buffer: AtomicPtr<Buffer<T>>,
    /// The number of the oldest item. Moved by the thread that takes the item.
    top: AtomicIsize,
    /// From how many items on thieves are told of the queue: see `protocol/theft.rs`. Written by the owner, read by
    /// thieves.
    pub told_from: AtomicIsize,
}

model::named_fields!(Deque<T>, T: bottom, top_seen, buffer, top, told_from);

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
            told_from: AtomicIsize::new(NEVER),
        }
    }
}

impl<T> Deque<T> {
    /// Publishes `item`. Returns how many items the queue had before. If it had none, threads may be asleep, and the
    /// caller must wake one. With `alone`, no thread sleeps, and the result is [`MANY`]. Owner only.
    #[inline(always)]
    pub fn push(&self, item: *const T, alone: bool) -> isize {
        let bottom = self.bottom.load(Ordering::Relaxed);
        let mut buffer = self.buffer.load(Ordering::Relaxed);
        // SAFETY: null or a buffer of this queue, which lives as long as the queue.
        let full = match unsafe { buffer.as_ref() } {
            // `top` only grows, so a slot that was free at an old value of `top` is still free.
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
            // Release: a later region may have thieves that read this value.
            self.bottom.store(bottom + 1, Ordering::Release);
            MANY
        } else {
            self.set_bottom(bottom + 1);
            bottom - self.top.load(Ordering::SeqCst)
        }
    }

    /// Whether the queue has at least `limit` items. With `afresh`, the owner reads `top` first. Otherwise, the owner
    /// uses the value that it read last, which may count items that are gone. Owner only.
    #[inline(always)]
    pub fn holds(&self, limit: usize, afresh: bool) -> bool {
        if afresh {
            self.top_seen.set(self.top.load(Ordering::Relaxed));
        }
        self.bottom.load(Ordering::Relaxed) - self.top_seen.get() >= limit as isize
    }

    /// Stores `bottom`. The owner's next load comes after the store in the sequentially consistent order. A swap costs
    /// less than a fence.
    ///
    /// loom treats a sequentially consistent swap as one with acquire and release only, so the model adds a fence. The
    /// fence would hide a missing release, so no mutation tests that.
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
        // Either a thief sees the lower `bottom`, or the owner sees that `top` has reached the item.
        self.set_bottom(last);
        let top = self.top.load(Ordering::SeqCst);
        if top < last {
            return Some(buffer.slot(last).load(Ordering::Relaxed));
        }
        self.pop_last(last, top, buffer)
    }

    /// Takes the only item, `last`, by the same compare-and-exchange as a thief. None if a thief was faster.
    #[cold]
    fn pop_last(&self, last: isize, top: isize, buffer: &Buffer<T>) -> Option<*const T> {
        let item = buffer.slot(last).load(Ordering::Relaxed).cast_const();
        let won = mutation::is("deque: the owner takes the last item without asking")
            || top == last && self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed).is_ok();
        // `top` is `last + 1` in both cases, and equal means empty. Release, as every store of `bottom`: a thief that
        // sees the value sees the buffer and the items.
        self.bottom.store(last + 1, Ordering::Release);
        won.then_some(item)
    }

    /// Reads `top`, then `bottom`. For thieves.
    #[inline(always)]
    fn look(&self) -> (isize, isize) {
        let top = self.top.load(Ordering::Acquire);
        // Between the two reads: pairs with the owner's swap of `bottom` in `pop` and in `push`.
        fence(Ordering::SeqCst);
        (top, self.bottom.load(Ordering::Acquire))
    }

    /// As [`look`](Self::look), but leaves a single item to the owner for a moment. The owner may be waiting for this
    /// very task and be about to take it. A theft would cost the owner far more than a small task.
    #[inline(always)]
    fn look_patiently(&self) -> (isize, isize) {
        let (mut top, mut bottom) = self.look();
        for _ in 0..MOST_SPARED {
            if bottom - top != 1 {
                break;
            }
            for _ in 0..PATIENCE {
                model::short_pause();
            }
            let seen = top;
            (top, bottom) = self.look();
            if top == seen {
                // No thread took the item during the wait.
                break;
            }
        }
        (top, bottom)
    }

    /// Takes the oldest item, if `allowed` agrees. Any thread. `allowed` may get an item that another thread has taken
    /// already; the result is [`Stolen::Lost`] then, whatever the answer. So an item must stay readable for good, even
    /// after a thread has taken it: the headers of tasks do.
    pub fn steal(&self, allowed: impl FnOnce(*const T) -> bool) -> Stolen<T> {
        let (top, bottom) = self.look_patiently();
        if top >= bottom { Stolen::Empty } else { self.take(top, allowed) }
    }

    /// Takes item `top`, which a thief has seen as the oldest one.
    #[inline(always)]
    fn take(&self, top: isize, allowed: impl FnOnce(*const T) -> bool) -> Stolen<T> {
        // SAFETY: there is a buffer, because `bottom` has moved; it lives as long as the queue.
        let buffer = unsafe { &*self.buffer.load(Ordering::Acquire) };
        let item = buffer.slot(top).load(Ordering::Acquire).cast_const();
        if !allowed(item) {
            // If the item was a newer one, the owner had read a `top` beyond this one before it stored the item.
            return if self.top.load(Ordering::Acquire) == top { Stolen::Refused } else { Stolen::Lost };
        }
        match self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed) {
            Ok(_) => Stolen::Taken(item),
            Err(_) => Stolen::Lost,
        }
    }
}

impl<T> Deque<T> {
    /// How many items there were a moment ago, for a thief. The look comes after all that the caller did before, in the
    /// sequentially consistent order.
    pub fn length(&self) -> isize {
        fence(Ordering::SeqCst);
        let (top, bottom) = self.look();
        bottom - top
    }

    /// As [`steal`](Self::steal). If many items are left, the call moves up to half of them to `mine`, the caller's own
    /// queue. Other threads then find items at two places, and come to this queue less often. A short queue's items are
    /// mostly those that its owner waits for, so they stay. Returns the stolen item, and whether
    /// `mine` was empty and has items now. In that case the caller must wake a thread, as after a push.
    ///
    /// Each item is stolen by itself. Its exchange is cheap after the first one's, which has brought the line.
    pub fn steal_several(&self, mine: &Self, allowed: impl Fn(*const T) -> bool) -> (Stolen<T>, bool) {
        let stolen = self.steal(&allowed);
        if !matches!(stolen, Stolen::Taken(_)) {
            return (stolen, false);
        }
        let (top, bottom) = self.look();
        let left = bottom - top;
        if left < MOST_TAKEN {
            return (stolen, false);
        }
        let mut first = false;
        for _ in 0..(left / 2).min(MOST_TAKEN - 1) {
            let (top, bottom) = self.look();
            // The last item is the owner's.
            if bottom - top < 2 {
                break;
            }
            let Stolen::Taken(item) = self.take(top, &allowed) else { break };
            first |= mine.push(item, false) <= 0;
        }
        (stolen, first)
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

    /// Each taker frees its item. A memory checker reports an item that is taken twice or handed over incompletely.
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
