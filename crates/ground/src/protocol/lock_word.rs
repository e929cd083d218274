//! The word of a simple lock: free, or taken, and by whom. `lock_wait.rs` has how threads wait for it.
//!
//! The protocol stands in `sync/README.md`; `tests/loom_lock.rs` checks this very code. What tools and debuggers see
//! of a lock is in `sync/lock.rs`.

use crate::model;
use crate::model::atomic::{AtomicU32, Ordering};
use crate::model::mutation;
use crate::park::futex;
use crate::protocol::lock_seats::{Seat, Seats};
use crate::protocol::lock_wait::{self, Word};

const FREE: u32 = lock_wait::FREE as u32;
const SLEEPERS: u32 = lock_wait::SLEEPERS as u32;
const SITTING: u32 = lock_wait::SITTING as u32;
/// The word is taken.
const TAKEN: u32 = 2;
/// A tool has been told that the word is taken, and is to be told that it is free again.
pub const REPORTED: u32 = 16;
/// The thread that frees a word with one of these bits has more to do: see [`LockWord::released`].
pub const ASKS_FOR_MORE: u32 = SLEEPERS | SITTING | REPORTED;
/// How far one more than the taker's number is moved up; 0 stands there for a thread that has no number.
pub const OWNER_SHIFT: u32 = 5;

/// What the thread `gtid` adds to a word that the thread takes, so that debuggers see the owner.
pub fn mark(gtid: i32) -> u32 {
    (gtid as u32 + 1) << OWNER_SHIFT
}

/// The word that the thread with this [`mark`] has taken and no other waits for.
pub const fn taken_by(mark: u32) -> u32 {
    mark | TAKEN
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

    /// Takes a free lock for the thread with this [`mark`]. Returns the word if the lock is not free.
    #[inline(always)]
    pub fn try_acquire(&self, mark: u32) -> Result<(), u32> {
        // Acquire pairs with the release in `release`: the thread sees what the lock protects.
        let order = mutation::or_relaxed("lock: taken relaxed", Ordering::Acquire);
        self.0.compare_exchange(FREE, taken_by(mark), order, Ordering::Relaxed).map(drop)
    }

    /// As [`try_acquire`](Self::try_acquire), for a thread that looks often: a lock that is not free costs one load.
    pub fn try_acquire_if_free(&self, mark: u32) -> bool {
        self.0.load(Ordering::Relaxed) == FREE && self.try_acquire(mark).is_ok()
    }

    /// Takes the lock for the thread with this [`mark`], which waits awake; `now` is what [`try_acquire`] has found.
    /// False if `pause` has ended the wait: see [`lock_wait::acquire_awake`].
    ///
    /// [`try_acquire`]: Self::try_acquire
    pub fn acquire_awake(
        &self,
        now: u32,
        mark: u32,
        seats: &Seats,
        seat: Option<Seat>,
        pause: impl FnMut(bool) -> bool,
    ) -> bool {
        lock_wait::acquire_awake(self, now.into(), (mark | TAKEN).into(), seats, seat, pause)
    }

    /// Takes the lock for the thread with this [`mark`], which sleeps until the lock is free.
    pub fn acquire_asleep(&self, mark: u32, seats: &Seats) {
        lock_wait::acquire_asleep(self, (mark | TAKEN).into(), seats);
    }

    /// Frees the lock, and does as [`released`](Self::released).
    #[inline(always)]
    pub fn release(&self, seats: &Seats) -> bool {
        let order = mutation::or_relaxed("lock: freed relaxed", Ordering::Release);
        let before = self.0.swap(FREE, order);
        self.released(before, seats)
    }

    /// The lock is free, and its word was `before`. Wakes a sleeper if there may be one, and calls a thread of those
    /// that sit. Returns whether a tool may have been told that the lock was taken.
    #[inline(always)]
    pub fn released(&self, before: u32, seats: &Seats) -> bool {
        if before & (SLEEPERS | SITTING) != 0 {
            lock_wait::let_another_come(self, before.into(), seats);
        }
        before & REPORTED != 0
    }

    /// What identifies the lock to tools: the address.
    #[inline(always)]
    pub fn id(&self) -> u64 {
        std::ptr::from_ref(self) as u64
    }
}

impl Word for LockWord {
    const COUNT: u64 = 0;

    fn id(&self) -> u64 {
        self.id()
    }

    fn look(&self) -> u64 {
        self.0.load(Ordering::Relaxed).into()
    }

    fn exchange(&self, now: u64, next: u64, order: Ordering) -> Result<(), u64> {
        let exchanged = self.0.compare_exchange(now as u32, next as u32, order, Ordering::Relaxed);
        exchanged.map(drop).map_err(u64::from)
    }

    fn set_sitting(&self) {
        self.0.fetch_or(SITTING, Ordering::Relaxed);
    }

    fn sleep(&self, now: u64) {
        futex::wait(&self.0, now as u32);
    }

    fn wake(&self) {
        futex::wake(&self.0, 1);
    }
}

impl Default for LockWord {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(all(test, not(any(loom, simulated))))]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    static SEATS: Seats = Seats::new();

    /// More threads than CPUs; some have no seat, some share one, and some sleep almost at once.
    #[test]
    fn many_threads_pass_a_lock() {
        const PASSES: u64 = 20_000;
        const THREADS: usize = 12;
        let (word, count) = (LockWord::new(), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for number in 0..THREADS {
                let (word, count) = (&word, &count);
                scope.spawn(move || {
                    let mark = mark(number as i32);
                    let seat = if number % 4 == 3 { None } else { Seat::new(number % 3, number / 4) };
                    for pass in 0..PASSES {
                        let mut looks = 0;
                        let pause = |_| {
                            looks += 1;
                            std::thread::yield_now();
                            number % 3 != 2 || looks < 3
                        };
                        let tries = (0..if pass % 16 == 0 { 3 } else { 0 }).any(|_| word.try_acquire_if_free(mark));
                        if !tries
                            && let Err(found) = word.try_acquire(mark)
                            && !word.acquire_awake(found, mark, &SEATS, seat, pause)
                        {
                            word.acquire_asleep(mark, &SEATS);
                        }
                        // Two that are inside at once lose an addition.
                        count.store(count.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                        word.release(&SEATS);
                    }
                });
            }
        });
        assert_eq!(count.load(Ordering::Relaxed), PASSES * THREADS as u64);
        assert_eq!(word.0.load(Ordering::Relaxed), FREE);
    }
}
