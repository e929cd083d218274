//! The runtime's own small mutex for its cold paths: a three-state futex word around data, which a
//! forked child can open by force.

use crate::model;
use crate::model::atomic::{AtomicU32, Ordering};
use crate::park::futex;
use std::cell::UnsafeCell;

const FREE: u32 = 0;
const TAKEN: u32 = 1;
const CONTENDED: u32 = 2;

/// Data behind a lock. Never held while a tool's or the program's code runs.
pub struct Mutex<T> {
    word: AtomicU32,
    data: UnsafeCell<T>,
}

// SAFETY: the word admits one thread at a time to the data.
unsafe impl<T: Send> Sync for Mutex<T> {}

impl<T> Mutex<T> {
    model::const_unless_modelled! {
        pub fn new(data: T) -> Self {
            Mutex { word: AtomicU32::new(FREE), data: UnsafeCell::new(data) }
        }
    }

    /// Runs `body` with the data to itself.
    pub fn with<R>(&self, body: impl FnOnce(&mut T) -> R) -> R {
        if self.word.compare_exchange(FREE, TAKEN, Ordering::Acquire, Ordering::Relaxed).is_err() {
            while self.word.swap(CONTENDED, Ordering::Acquire) != FREE {
                futex::wait(&self.word, CONTENDED);
            }
        }
        // SAFETY: the word is ours until the swap below.
        let result = body(unsafe { &mut *self.data.get() });
        if self.word.swap(FREE, Ordering::Release) == CONTENDED {
            futex::wake(&self.word, 1);
        }
        result
    }

    /// Opens the lock in a forked child, where the thread that held the lock does not exist.
    pub fn force_open(&self) {
        self.word.store(FREE, Ordering::Relaxed);
    }

    /// As [`force_open`](Self::force_open), and writes new data over the old data without dropping those: the thread
    /// that held the lock may have left them half changed.
    pub fn renew_after_fork(&self)
    where
        T: Default,
    {
        // SAFETY: the calling thread is the only one there is. The old data is not dropped.
        unsafe { self.data.get().write(T::default()) };
        self.force_open();
    }

    /// As [`renew_after_fork`](Self::renew_after_fork), if the lock was held; else the data stay.
    pub fn renew_if_held_after_fork(&self)
    where
        T: Default,
    {
        if self.word.load(Ordering::Relaxed) != FREE {
            self.renew_after_fork();
        }
    }
}
