//! The word of a simple lock: free, taken, or taken with threads that may sleep on the word.
//!
//! The protocol stands in `sync/README.md`; `tests/loom_lock.rs` checks this very code. What tools and debuggers see
//! of a lock is in `sync/lock.rs`.

use crate::model;
use crate::model::atomic::{AtomicU32, Ordering};
use crate::model::mutation;
use crate::park::futex;

const FREE: u32 = 0;
/// Threads may sleep on the word, which is taken.
const SLEEPERS: u32 = 1;
/// The word is taken. Above this bit lies one more than the taker's number, 0 for a thread that has none.
const TAKEN: u32 = 2;
/// How far one more than the taker's number is moved up.
pub const OWNER_SHIFT: u32 = 2;

/// What the thread `gtid` adds to a word that the thread takes, so that debuggers see the owner.
pub fn mark(gtid: i32) -> u32 {
    (gtid as u32 + 1) << OWNER_SHIFT
}

/// One lock. Zeroed memory is a free lock.
#[repr(transparent)]
pub struct LockWord(AtomicU32);

impl LockWord {
    model::const_unless_modelled! {
        /// A free lock.
        pub fn new() -> Self {
            LockWord(AtomicU32::new(FREE))
        }
    }

    /// The lock in the program's memory at `lock`.
    ///
    /// # Safety
    /// `lock` is aligned to 4 bytes. The bytes are readable and writable while the result lives, and only functions of
    /// this type use them meanwhile.
    #[cfg(not(loom))]
    #[inline(always)]
    pub unsafe fn at<'a>(lock: *mut u32) -> &'a LockWord {
        // SAFETY: a lock word is one atomic word, and the contract above is that of `from_ptr`.
        unsafe { &*std::ptr::from_ref(AtomicU32::from_ptr(lock)).cast::<LockWord>() }
    }

    /// Makes the lock a free one. No thread has the lock or waits for it.
    pub fn clear(&self) {
        self.0.store(FREE, Ordering::Release);
    }

    /// Takes a free lock for the thread with this [`mark`]; false if the lock is not free.
    #[inline(always)]
    pub fn try_acquire(&self, mark: u32) -> bool {
        // Acquire pairs with the release in `release`: the thread sees what the lock protects.
        let order = mutation::or_relaxed("lock: taken relaxed", Ordering::Acquire);
        self.0.compare_exchange(FREE, mark | TAKEN, order, Ordering::Relaxed).is_ok()
    }

    /// As [`try_acquire`](Self::try_acquire), for a thread that looks often: a lock that is not free costs one load.
    pub fn try_acquire_if_free(&self, mark: u32) -> bool {
        self.0.load(Ordering::Relaxed) == FREE && self.try_acquire(mark)
    }

    /// Takes the lock for the thread with this [`mark`], which sleeps until the lock is free.
    pub fn acquire_asleep(&self, mark: u32) {
        // The thread marks the word with `SLEEPERS` even where the thread takes the lock without having slept: others
        // may sleep, and the thread cannot know. Without the mark the next release would wake none of them. At worst
        // one release makes a system call for nothing.
        let taken =
            if mutation::is("lock: a woken thread forgets the other sleepers") { TAKEN } else { TAKEN | SLEEPERS };
        loop {
            let now = self.0.load(Ordering::Relaxed);
            let next = if now == FREE { mark | taken } else { now | SLEEPERS };
            if now != next && self.0.compare_exchange(now, next, Ordering::Acquire, Ordering::Relaxed).is_err() {
                continue;
            }
            if now == FREE {
                return;
            }
            futex::wait(&self.0, next);
        }
    }

    /// Frees the lock, and wakes a sleeper if there may be one.
    #[inline(always)]
    pub fn release(&self) {
        let order = mutation::or_relaxed("lock: freed relaxed", Ordering::Release);
        if self.0.swap(FREE, order) & SLEEPERS != 0 {
            futex::wake(&self.0, 1);
        }
    }

    /// What identifies the lock to tools: the address.
    #[inline(always)]
    pub fn id(&self) -> u64 {
        std::ptr::from_ref(self) as u64
    }
}

impl Default for LockWord {
    fn default() -> Self {
        Self::new()
    }
}
