//! The word of a nestable lock: the owner, how often the owner has set the lock, and how others wait for it
//! (`lock_wait.rs`). The word is 0 while the lock is free. Threads sleep on the word's lower half.
//!
//! The protocol stands in `sync/README.md`; `tests/loom_lock.rs` checks this very code. What tools and debuggers see
//! of a lock is in `sync/nest_lock.rs`.

use crate::arch;
use crate::model;
use crate::model::atomic::{AtomicU64, Ordering};
use crate::model::mutation;
use crate::park::futex;
use crate::protocol::lock_seats::{Seat, Seats};
use crate::protocol::lock_wait::{self, FREE, SITTING, SLEEPERS, Word};

/// One setting.
const ONCE: u64 = 16;
/// How far an owner's address is moved up: the bits above addresses are free.
pub const OWNER_SHIFT: u32 = u64::BITS - arch::ADDRESS_BITS;
/// Owners lie at multiples of this many bytes.
pub const OWNER_ALIGN: usize = 64;
/// The bits below the owner's: those of the shift and those that the alignment of owners leaves free.
const LOWER: u64 = ((OWNER_ALIGN as u64) << OWNER_SHIFT) - 1;
/// How often a task can set a lock.
const MOST: u64 = LOWER / ONCE;

/// What [`NestWord::attempt`] found.
#[derive(PartialEq, Eq, Debug)]
pub enum Attempt {
    /// The lock was free, and is the caller's.
    Taken,
    /// The caller has set the lock this many times now.
    Again(u64),
    /// The lock is another task's, and the word is this.
    Busy(u64),
}

/// One nestable lock. Zeroed memory is a free lock.
#[repr(transparent)]
pub struct NestWord(AtomicU64);

/// The owner at `address`, as the word keeps an owner.
#[inline(always)]
pub fn owner(address: usize) -> u64 {
    (address as u64) << OWNER_SHIFT
}

impl NestWord {
    model::const_unless_modelled! {
        /// A free lock.
        pub fn new() -> Self {
            NestWord(AtomicU64::new(FREE))
        }
    }

    /// The lock in the program's memory at `lock`.
    ///
    /// # Safety
    /// `lock` is aligned to 8 bytes. As many bytes are readable and writable while the result lives, and only functions
    /// of this type use them meanwhile.
    #[cfg(not(loom))]
    #[inline(always)]
    pub unsafe fn at<'a>(lock: *mut u32) -> &'a NestWord {
        // SAFETY: a nestable lock is one atomic word, and the contract above is that of `from_ptr`.
        unsafe { &*std::ptr::from_ref(AtomicU64::from_ptr(lock.cast())).cast::<NestWord>() }
    }

    /// Makes the lock a free one. No thread has the lock or waits for it.
    pub fn clear(&self) {
        self.0.store(FREE, Ordering::Release);
    }

    /// Takes the lock for `me`, an [`owner`], or sets the lock once more, if neither needs waiting.
    #[inline(always)]
    pub fn attempt(&self, me: u64) -> Attempt {
        // Acquire pairs with the release in `release`: the owner sees what the lock protects.
        match self.0.compare_exchange(FREE, me | ONCE, Ordering::Acquire, Ordering::Relaxed) {
            Ok(_) => Attempt::Taken,
            Err(now) if now & !LOWER == me => {
                if (now & LOWER) / ONCE >= MOST - 1 {
                    too_often();
                }
                Attempt::Again((self.add(now, ONCE) & LOWER) / ONCE + 1)
            }
            Err(now) => Attempt::Busy(now),
        }
    }

    /// As [`attempt`](Self::attempt), for a thread that looks often: a lock that is not free costs one load.
    pub fn take_if_free(&self, me: u64) -> bool {
        self.0.load(Ordering::Relaxed) == FREE && self.attempt(me) == Attempt::Taken
    }

    /// Takes the lock for `me`, an [`owner`], whose thread waits awake; `now` is what [`attempt`](Self::attempt) has
    /// found. False if `pause` has ended the wait: see [`lock_wait::acquire_awake`].
    pub fn acquire_awake(
        &self,
        now: u64,
        me: u64,
        seats: &Seats,
        seat: Option<Seat>,
        pause: impl FnMut(bool) -> bool,
    ) -> bool {
        lock_wait::acquire_awake(self, now, me | ONCE, seats, seat, pause)
    }

    /// Takes the lock for `me`, an [`owner`]; the thread sleeps until the lock is free.
    pub fn acquire_asleep(&self, me: u64, seats: &Seats) {
        lock_wait::acquire_asleep(self, me | ONCE, seats);
    }

    /// Takes back one setting. Returns whether the lock is free now; then a sleeper is woken, if there may be one, and
    /// a thread is called of those that sit.
    #[inline(always)]
    pub fn release(&self, seats: &Seats) -> bool {
        let now = self.0.load(Ordering::Relaxed);
        if (now & LOWER) / ONCE > 1 {
            self.add(now, ONCE.wrapping_neg());
            return false;
        }
        let order = mutation::or_relaxed("nest lock: freed relaxed", Ordering::Release);
        let before = self.0.swap(FREE, order);
        let calls = if mutation::is("nest lock: a release calls nobody") { SLEEPERS } else { SLEEPERS | SITTING };
        if before & calls != 0 {
            lock_wait::let_another_come(self, before, seats);
        }
        true
    }

    /// Adds `change` to the word, which was `now`; returns the word before. The owner alone calls this. Others may mark
    /// the word meanwhile, with `SLEEPERS` for one: a plain store would lose the mark, and they would sleep for ever.
    #[inline(always)]
    fn add(&self, now: u64, change: u64) -> u64 {
        if mutation::is("nest lock: counted by a plain store") {
            self.0.store(now.wrapping_add(change), Ordering::Relaxed);
            return now;
        }
        self.0.fetch_add(change, Ordering::Relaxed)
    }

    /// The lock's address, by which debuggers name what a thread waits for.
    #[inline(always)]
    pub fn id(&self) -> u64 {
        std::ptr::from_ref(self) as u64
    }
}

impl Word for NestWord {
    const COUNT: u64 = LOWER & !(ONCE - 1);

    fn id(&self) -> u64 {
        self.id()
    }

    fn look(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    fn exchange(&self, now: u64, next: u64, order: Ordering) -> Result<(), u64> {
        self.0.compare_exchange(now, next, order, Ordering::Relaxed).map(drop)
    }

    fn set_sitting(&self) {
        self.0.fetch_or(SITTING, Ordering::Relaxed);
    }

    fn sleep(&self, now: u64) {
        futex::wait_on_lower_half(&self.0, now as u32);
    }

    fn wake(&self) {
        futex::wake_on_lower_half(&self.0);
    }
}

impl Default for NestWord {
    fn default() -> Self {
        Self::new()
    }
}

#[cold]
fn too_often() -> ! {
    crate::stderr::abort(format_args!("a task has set a nestable lock more often than can be counted"))
}
