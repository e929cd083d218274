//! The queue of a host device's executor, and the progress of streams for waiting threads. `device/README.md` has the
//! protocol, `tests/loom_device.rs` its model.

use crate::model::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering, fence};
use crate::model::mutation;
use crate::park::event::Event;

/// Whether a queue has a taker, the thread that performs its items. A taker may end while other threads add items: then
/// one of the two sides creates the next taker.
pub struct Taker(AtomicBool);

impl Taker {
    pub fn none() -> Self {
        Taker(AtomicBool::new(false))
    }

    /// Notes that there is a taker.
    pub fn has_come(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether there is a taker. The answer may be out of date.
    pub fn is_there(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// Notes that the taker has ended. True if the caller is to create the next one, for items that were added to
    /// `queue` meanwhile.
    #[must_use]
    pub fn has_gone<T>(&self, queue: &Queue<T>) -> bool {
        self.0.store(false, Ordering::Release);
        fence(Ordering::SeqCst);
        !queue.is_empty()
    }

    /// Whether the caller, which has just added an item, is to create a taker.
    #[must_use]
    pub fn is_missed(&self) -> bool {
        // Either this thread sees that the taker has ended, or the thread that ended the taker sees the item.
        fence(Ordering::SeqCst);
        !self.is_there()
    }
}

/// Items in the order in which they were added. Any thread adds, one takes.
pub struct Queue<T> {
    /// The newest item; each item points to the one before.
    newest: AtomicPtr<Node<T>>,
    /// Where the taker sleeps.
    pub arrived: Event,
}

struct Node<T> {
    item: T,
    older: *mut Node<T>,
}

// SAFETY: only items, which are `Send`, move from thread to thread.
unsafe impl<T: Send> Sync for Queue<T> {}

impl<T> Queue<T> {
    /// Adds an item. [`call`](Self::call) wakes a sleeping taker.
    pub fn push(&self, item: T) {
        let node = Box::into_raw(Box::new(Node { item, older: std::ptr::null_mut() }));
        let mut newest = self.newest.load(Ordering::Relaxed);
        loop {
            // SAFETY: the node is not published yet.
            unsafe { (*node).older = newest };
            match self.newest.compare_exchange(newest, node, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => newest = now,
            }
        }
    }

    /// Wakes a sleeping taker for the items that the caller has added.
    pub fn call(&self) {
        self.arrived.notify_all();
    }

    /// Whether there are no items. The answer may be out of date.
    pub fn is_empty(&self) -> bool {
        self.newest.load(Ordering::Relaxed).is_null()
    }

    /// Takes all items, the oldest first. One thread at a time.
    pub fn take(&self) -> Batch<T> {
        let mut newest = self.newest.swap(std::ptr::null_mut(), Ordering::Acquire);
        let mut oldest: *mut Node<T> = std::ptr::null_mut();
        while !newest.is_null() {
            // SAFETY: the swap has given the nodes to this thread.
            let next = unsafe { std::mem::replace(&mut (*newest).older, oldest) };
            oldest = newest;
            newest = next;
        }
        Batch { oldest }
    }

    /// In a forked child: forgets the items, which are the parent's, and sleeping threads.
    pub fn after_fork(&self) {
        self.newest.store(std::ptr::null_mut(), Ordering::Relaxed);
        self.arrived.forget_sleepers();
    }
}

impl<T> Default for Queue<T> {
    fn default() -> Self {
        Queue { newest: AtomicPtr::new(std::ptr::null_mut()), arrived: Event::new() }
    }
}

/// Items that have been taken off a queue.
pub struct Batch<T> {
    oldest: *mut Node<T>,
}

impl<T> Iterator for Batch<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.oldest.is_null() {
            return None;
        }
        // SAFETY: the batch owns the node, and forgets it here.
        let node = unsafe { Box::from_raw(self.oldest) };
        self.oldest = node.older;
        Some(node.item)
    }
}

impl<T> Drop for Batch<T> {
    fn drop(&mut self) {
        self.for_each(drop);
    }
}

/// The progress of a stream.
#[derive(Default)]
pub struct Progress {
    /// The number of queued operations. Written by the stream's user.
    queued: AtomicU64,
    /// The number of complete operations. Written by the executor.
    done: AtomicU64,
    /// Where threads wait for operations.
    pub event: Event,
}

impl Progress {
    /// Counts an operation that is about to be queued.
    pub fn queue(&self) {
        self.queued.fetch_add(1, Ordering::Relaxed);
    }

    /// The position behind all operations that the caller has queued or knows of.
    pub fn position(&self) -> u64 {
        self.queued.load(Ordering::Relaxed)
    }

    /// Notes that the oldest incomplete operation is complete.
    pub fn complete(&self) {
        // Release: a thread that sees the count sees what the operation did.
        self.done.fetch_add(1, mutation::or_relaxed("queue: done relaxed", Ordering::Release));
        self.event.notify_all();
    }

    /// Whether all operations before `position` are complete.
    pub fn has_reached(&self, position: u64) -> bool {
        self.done.load(Ordering::Acquire) >= position
    }

    /// In a forked child: queued operations are never performed, and no thread waits for them.
    pub fn after_fork(&self) {
        self.done.store(self.queued.load(Ordering::Relaxed), Ordering::Relaxed);
        self.event.forget_sleepers();
    }
}
