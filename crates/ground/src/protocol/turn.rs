//! Which iteration may execute its ordered region, and how a thread passes the turn on. The protocol, and why no thread
//! hangs, is in `work/README.md`; `tests/loom_turn.rs` checks this very code.
//!
//! An example: thread 1 has the turn for iteration 4, and thread 2 waits for iteration 5.
//!
//! 1. Thread 2 sees that the turn is at 4. It registers as a sleeper of the event for iteration 5.
//! 2. Meanwhile thread 1 moves the turn to 5 by an exchange. Then it looks for sleepers of that event.
//! 3. Thread 2 looks at the turn once more, and sleeps if the turn is still at 4.
//!
//! Registration, exchange and both looks have one sequentially consistent order. So thread 1 finds the sleeper, or
//! thread 2 finds the turn at 5. If the exchange were relaxed, both could miss, and thread 2 would sleep for ever.

use crate::model::atomic::{AtomicU64, Ordering, fence};
use crate::model::mutation;
use crate::park::event::Event;

/// The iteration whose ordered region may run.
#[derive(Default)]
pub struct Turn(AtomicU64);

impl Turn {
    /// Whether the turn has come to iteration `number`. Then what earlier ordered regions wrote is seen.
    #[inline(always)]
    pub fn has_come_to(&self, number: u64) -> bool {
        self.now() == number
    }

    /// The iteration whose turn it is now.
    #[inline(always)]
    pub fn now(&self) -> u64 {
        // Acquire: pairs with `pass`.
        self.0.load(mutation::or_relaxed("turn: looked at relaxed", Ordering::Acquire))
    }

    /// Passes the turn to iteration `next`, whose thread may be asleep in `queue`. For the thread that has the turn.
    #[inline(always)]
    pub fn pass(&self, next: u64, queue: &Queue) {
        // No other thread changes the turn now, so a release and the fence of `notify_all` would do. The exchange is
        // one access that waits for the cache line instead of two, and a tenth faster.
        self.0.swap(next, mutation::or_relaxed("turn: passed relaxed", Ordering::SeqCst));
        queue.of(next).notify_all_after_rmw();
    }

    /// Sets the turn to iteration 0 of another loop, which no thread waits for yet. Where nobody took turns, the line
    /// stays with whoever has it: the caller's next fence would wait for a write.
    pub fn reset(&self) {
        if self.0.load(Ordering::Relaxed) != 0 {
            self.0.store(0, Ordering::Relaxed);
        }
    }
}

/// How the thread that is next polls the turn: by looks that fetch the cache line for writing, since the thread will
/// write the line soon.
///
/// A line that was fetched for reading has to be fetched once more when the turn is passed on, which takes as long
/// again. Between CPUs that are far from each other a turn takes 165 nanoseconds then, and 105 with looks that fetch
/// for writing. But such a look, if it comes too early, takes the line from the thread that is about to write it.
/// Between near CPUs a turn takes 43 nanoseconds then, and 37 with looks that only read. So the first two looks only
/// read. The second one follows a fence, without which the processor may look before the pause between the two is
/// over. A turn takes 26 to 36 nanoseconds that way, as the pauses of the two threads lie to each other.
pub struct Polling(u32);

impl Polling {
    /// How many looks only read.
    const READING: u32 = 2;
    /// After how many looks a thread no longer expects its turn soon.
    const EAGER: u32 = 10;

    /// For a thread that begins to poll, or has seen the turn move.
    #[inline(always)]
    pub fn eager() -> Self {
        Polling(0)
    }

    /// Each look only reads, because the thread that has the turn may not be running.
    #[inline(always)]
    pub fn reading() -> Self {
        Polling(Self::EAGER)
    }

    /// The turn as it is now, for a thread that waits until it comes to `number`.
    #[inline(always)]
    pub fn look(&mut self, turn: &Turn, number: u64) -> u64 {
        let looks = self.0;
        self.0 = (looks + 1).min(Self::EAGER);
        if looks == 1 {
            fence(Ordering::SeqCst);
        }
        if looks < Self::READING || looks == Self::EAGER {
            return turn.now();
        }
        // Acquire: as in `now`. The exchange writes the value that is there already.
        turn.0.compare_exchange(number, number, Ordering::Acquire, Ordering::Acquire).unwrap_or_else(|turn| turn)
    }
}

/// Where members sleep until their turn comes. Each waits for another iteration, so a thread that passes the turn on
/// wakes its successor and seldom another thread. 8 threads on 2 CPUs that always sleep take 8.6 microseconds a turn,
/// and would take 13 if all were woken.
#[derive(Default)]
pub struct Queue([Event; Queue::EVENTS]);

impl Queue {
    #[cfg(not(loom))]
    const EVENTS: usize = 16;
    /// One, so that the model has threads that are woken for another thread's turn.
    #[cfg(loom)]
    const EVENTS: usize = 1;

    /// Where to sleep until the turn comes to iteration `number`.
    #[inline(always)]
    pub fn of(&self, number: u64) -> &Event {
        // The multiplier spreads the first iterations of chunks of any size (Knuth: a word's part in the golden ratio).
        let hash = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        &self.0[hash as usize % Self::EVENTS]
    }

    /// Wakes all sleepers: no turn may come any more.
    pub fn notify_all(&self) {
        self.0.iter().for_each(Event::notify_all);
    }

    /// In a forked child, where no sleeper exists.
    pub fn forget_sleepers(&self) {
        self.0.iter().for_each(Event::forget_sleepers);
    }
}
