//! The word of a simple lock: free, or taken, by whom, and how threads wait for the lock.
//!
//! The protocol stands in `sync/README.md`; `tests/loom_lock.rs` checks this very code. What tools and debuggers see
//! of a lock is in `sync/lock.rs`.

use crate::model;
use crate::model::atomic::{AtomicU32, Ordering};
use crate::model::mutation;
use crate::park::futex;
use crate::protocol::lock_seats::{Call, Seat, Seats};

const FREE: u32 = 0;
/// Threads may sleep on the word, which is taken.
const SLEEPERS: u32 = 1;
/// The word is taken.
const TAKEN: u32 = 2;
/// A thread polls the word, which is taken. Others that come sit down.
const POLLED: u32 = 4;
/// Threads may sit and wait for the lock, which is taken: who releases the lock calls one of them.
const SITTING: u32 = 8;
/// What may change while one thread has the lock.
const PASSING: u32 = SLEEPERS | SITTING;
/// A thread that sits alone looks at the lock's word after so many looks at its seat: at once, a lock of a few threads
/// would go from core to core more often.
const LOOKS_ALONE: u32 = if cfg!(loom) { 0 } else { 64 };
/// Any other thread that sits does so after as many looks, 40 to 160 microseconds: the thread that should call it may
/// not run. The model has no such look, and the thread blocks: a call that gets lost is found as a deadlock.
const LOOKS: u32 = if cfg!(loom) { u32::MAX } else { 4096 };
/// How far one more than the taker's number is moved up; 0 stands there for a thread that has no number.
pub const OWNER_SHIFT: u32 = 4;

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

    /// Takes a free lock for the thread with this [`mark`]. Returns the word if the lock is not free.
    #[inline(always)]
    pub fn try_acquire(&self, mark: u32) -> Result<(), u32> {
        // Acquire pairs with the release in `release`: the thread sees what the lock protects.
        let order = mutation::or_relaxed("lock: taken relaxed", Ordering::Acquire);
        self.0.compare_exchange(FREE, mark | TAKEN, order, Ordering::Relaxed).map(drop)
    }

    /// As [`try_acquire`](Self::try_acquire), for a thread that looks often: a lock that is not free costs one load.
    pub fn try_acquire_if_free(&self, mark: u32) -> bool {
        self.0.load(Ordering::Relaxed) == FREE && self.try_acquire(mark).is_ok()
    }

    /// Takes the lock for the thread with this [`mark`], which waits awake; `now` is what [`try_acquire`] has found.
    /// Returns false once `pause` has: then the lock is not taken. `pause` lets a moment pass between two looks, and
    /// hears whether the thread polls the word.
    ///
    /// One thread at a time polls the word. Others sit in `seats`, each in a `seat` of its own; a thread that has none,
    /// or whose seat is taken, polls as well.
    ///
    /// [`try_acquire`]: Self::try_acquire
    pub fn acquire_awake(
        &self,
        mut now: u32,
        mark: u32,
        seats: &Seats,
        seat: Option<Seat>,
        mut pause: impl FnMut(bool) -> bool,
    ) -> bool {
        let lock = self.id();
        let mut me = Waiting { taken: mark | TAKEN, seats, seat, others_sit: false };
        // The word as it is while this thread is the one that polls, without what passes.
        let mut polled = FREE;
        // Whether others that sit may rely on this thread. Then it does not sit down again, except where another thread
        // polls.
        let mut is_relied_upon = false;
        let mut goes_first = false;
        let mut has_lost = false;
        loop {
            let is_polled = now & POLLED != 0;
            let may_poll = is_relied_upon || !has_lost && (now & SITTING != 0 || !me.others_sit_near(lock));
            let may_go_on = goes_first || now & !PASSING == polled;
            // What an exchange has found is not looked up again: the line may have gone on to the next core.
            if now == FREE {
                // The exchange below takes it.
            } else if !is_polled && may_poll {
                match self.0.compare_exchange(now, now | POLLED, Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => {
                        polled = (now | POLLED) & !PASSING;
                        is_relied_upon = true;
                        me.others_sit |= seats.has_sitting(lock, seat);
                    }
                    Err(found) => {
                        has_lost = true;
                        now = found;
                        continue;
                    }
                }
            } else if is_polled && may_go_on {
                if !pause(true) {
                    return false;
                }
            } else if let Some((seat, others)) = seat.and_then(|seat| Some((seat, seats.sit(seat, lock)?))) {
                let Some(call) = self.stay_seated(seats, seat, others, &mut pause) else {
                    return false;
                };
                (is_relied_upon, goes_first, me.others_sit) = (true, call.goes_first(), call.others_sit());
            } else if !pause(true) {
                return false;
            }
            // By an exchange at once: a load would bring the line without the right to write.
            match self.take(me) {
                Ok(()) => return true,
                Err(found) => now = found,
            }
        }
    }

    /// Sits until the thread is called, or until nobody might call it. Returns none once `pause` has returned false.
    fn stay_seated(
        &self,
        seats: &Seats,
        seat: Seat,
        others: bool,
        mut pause: impl FnMut(bool) -> bool,
    ) -> Option<Call> {
        let lock = self.id();
        let mut looks = if others { LOOKS } else { LOOKS_ALONE };
        loop {
            for _ in 0..looks {
                if let Some(call) = seats.call_of(seat, lock) {
                    return Some(call);
                }
                if !pause(false) {
                    seats.get_up(seat, lock);
                    return None;
                }
                #[cfg(loom)]
                seats.block_until_called(seat, lock);
            }
            if self.0.load(Ordering::Relaxed) & (POLLED | SITTING) == 0
                && !mutation::is("lock seats: no second look at the word")
            {
                seats.get_up(seat, lock);
                return Some(Call::NONE);
            }
            looks = LOOKS;
        }
    }

    /// Takes a free lock for a thread that has waited. If threads sit, the release is to call one of them.
    fn take(&self, me: Waiting) -> Result<(), u32> {
        let taken = me.taken | if me.others_sit { SITTING } else { 0 };
        // Acquire as in `try_acquire`, and sequentially consistent for `has_sitting`.
        let order = mutation::or_relaxed("lock: taken relaxed after a wait", Ordering::SeqCst);
        self.0.compare_exchange(FREE, taken, order, Ordering::Relaxed)?;
        if order == Ordering::SeqCst {
            model::order_of_seq_cst();
        }
        if !me.others_sit
            && me.seats.has_sitting(self.id(), me.seat)
            && !mutation::is("lock seats: nobody looks at the seats")
        {
            self.0.fetch_or(SITTING, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Takes the lock for the thread with this [`mark`], which sleeps until the lock is free.
    pub fn acquire_asleep(&self, mark: u32, seats: &Seats) {
        // The thread marks the word with `SLEEPERS` even where the thread takes the lock without having slept: others
        // may sleep, and the thread cannot know. Without the mark the next release would wake none of them. At worst
        // one release makes a system call for nothing.
        let taken =
            if mutation::is("lock: a woken thread forgets the other sleepers") { TAKEN } else { TAKEN | SLEEPERS };
        loop {
            let now = self.0.load(Ordering::Relaxed);
            if now == FREE {
                if self.take(Waiting { taken: mark | taken, seats, seat: None, others_sit: false }).is_ok() {
                    return;
                }
                continue;
            }
            let next = now | SLEEPERS;
            if now == next || self.0.compare_exchange(now, next, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                futex::wait(&self.0, next);
            }
        }
    }

    /// Frees the lock. Wakes a sleeper if there may be one, and calls a thread of those that sit.
    #[inline(always)]
    pub fn release(&self, seats: &Seats) {
        let order = mutation::or_relaxed("lock: freed relaxed", Ordering::Release);
        let before = self.0.swap(FREE, order);
        if before & (SLEEPERS | SITTING) != 0 {
            self.let_another_come(before, seats);
        }
    }

    #[cold]
    fn let_another_come(&self, before: u32, seats: &Seats) {
        if before & SITTING != 0 {
            seats.call(self.id(), before & POLLED != 0);
        }
        if before & SLEEPERS != 0 {
            futex::wake(&self.0, 1);
        }
    }

    /// What identifies the lock to tools: the address.
    #[inline(always)]
    pub fn id(&self) -> u64 {
        std::ptr::from_ref(self) as u64
    }
}

/// A thread that waits for a lock.
#[derive(Clone, Copy)]
struct Waiting<'a> {
    /// What the thread makes of a free word.
    taken: u32,
    seats: &'a Seats,
    seat: Option<Seat>,
    /// Others are known to sit.
    others_sit: bool,
}

impl Waiting<'_> {
    /// Whether threads of this one's group sit.
    fn others_sit_near(&self, lock: u64) -> bool {
        self.seat.is_some_and(|seat| self.seats.has_sitting_near(seat, lock))
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
