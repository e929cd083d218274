//! What is handed to the executor of a host device, in order, and how those who wait learn that it is done. The
//! protocol is in `device/README.md`, its model test in `tests/loom_device.rs`.

use crate::model::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering, fence};
use crate::model::mutation;
use crate::park::event::Event;

/// Whether a queue has a taker. A taker may end while others add: then one of the two creates the next.
pub struct Taker(AtomicBool);

impl Taker {
    pub fn none() -> Self {
        Taker(AtomicBool::new(false))
    }

    /// There is one.
    pub fn has_come(&self) {
        self.0.store(true, Ordering::Release);
    }

    /// Whether there is one. A look without consequences.
    pub fn is_there(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    /// There is none any more. Returns whether the caller is to create one, for what has been added to `queue`
    /// meanwhile.
    #[must_use]
    pub fn has_gone<T>(&self, queue: &Queue<T>) -> bool {
        self.0.store(false, Ordering::Release);
        fence(Ordering::SeqCst);
        !queue.is_empty()
    }

    /// Whether the caller, which has just added something, is to create one.
    #[must_use]
    pub fn is_missed(&self) -> bool {
        // Either this thread sees that the taker has gone, or whoever ended the taker sees what was added.
        fence(Ordering::SeqCst);
        !self.is_there()
    }
}

/// Items in the order in which they came. Any thread adds, one takes.
pub struct Queue<T> {
    /// The newest; each knows the one before.
    newest: AtomicPtr<Node<T>>,
    /// Where the taker sleeps.
    pub arrived: Event,
}

struct Node<T> {
    item: T,
    older: *mut Node<T>,
}

// SAFETY: items go from thread to thread, and nothing else does.
unsafe impl<T: Send> Sync for Queue<T> {}

impl<T> Queue<T> {
    /// Adds an item. A taker that sleeps learns of it by [`call`](Self::call).
    pub fn push(&self, item: T) {
        let node = Box::into_raw(Box::new(Node { item, older: std::ptr::null_mut() }));
        let mut newest = self.newest.load(Ordering::Relaxed);
        loop {
            // SAFETY: nobody else knows the node yet.
            unsafe { (*node).older = newest };
            match self.newest.compare_exchange(newest, node, Ordering::Release, Ordering::Relaxed) {
                Ok(_) => break,
                Err(now) => newest = now,
            }
        }
    }

    /// Wakes the taker if it sleeps, for what the caller has added.
    pub fn call(&self) {
        self.arrived.notify_all();
    }

    /// Whether there is anything. A look without consequences.
    pub fn is_empty(&self) -> bool {
        self.newest.load(Ordering::Relaxed).is_null()
    }

    /// Takes all that is there, the oldest first. One thread at a time.
    pub fn take(&self) -> Batch<T> {
        let mut newest = self.newest.swap(std::ptr::null_mut(), Ordering::Acquire);
        let mut oldest: *mut Node<T> = std::ptr::null_mut();
        while !newest.is_null() {
            // SAFETY: the nodes have been taken out and belong to the caller.
            let next = unsafe { std::mem::replace(&mut (*newest).older, oldest) };
            oldest = newest;
            newest = next;
        }
        Batch { oldest }
    }

    /// Forgets all that is there, without a look at it, and who slept: in a forked child.
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

/// Items that have been taken out of a queue.
pub struct Batch<T> {
    oldest: *mut Node<T>,
}

impl<T> Iterator for Batch<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        if self.oldest.is_null() {
            return None;
        }
        // SAFETY: the node belongs to the batch, and leaves it here.
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

/// How far a stream has come.
pub struct Progress {
    /// How many operations have been queued.
    queued: AtomicU64,
    /// How many of them are complete.
    done: AtomicU64,
    /// Where those sleep who wait for one.
    pub event: Event,
}

impl Progress {
    /// Another operation is about to be queued.
    pub fn queue(&self) {
        self.queued.fetch_add(1, Ordering::Relaxed);
    }

    /// The position behind all that has been queued by the caller, or by those that the caller has heard of.
    pub fn position(&self) -> u64 {
        self.queued.load(Ordering::Relaxed)
    }

    /// The oldest operation that was not complete is.
    pub fn complete(&self) {
        // Release: whoever sees it sees what the operation has done.
        self.done.fetch_add(1, mutation::or_relaxed("queue: done relaxed", Ordering::Release));
        self.event.notify_all();
    }

    /// Whether all operations before `position` are complete.
    pub fn has_reached(&self, position: u64) -> bool {
        self.done.load(Ordering::Acquire) >= position
    }

    /// In a forked child: what was queued will never be done, and nobody waits for it.
    pub fn after_fork(&self) {
        self.done.store(self.queued.load(Ordering::Relaxed), Ordering::Relaxed);
        self.event.forget_sleepers();
    }
}

impl Default for Progress {
    fn default() -> Self {
        Progress { queued: AtomicU64::new(0), done: AtomicU64::new(0), event: Event::new() }
    }
}
