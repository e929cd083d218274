//! Whose turn it is to execute ordered regions, and how it comes to the next thread. The protocol, and why nobody
//! hangs, is in `work/README.md`; `tests/loom_turn.rs` checks it.

use crate::model::atomic::{AtomicU64, Ordering, fence};
use crate::model::mutation;
use crate::park::event::Event;

/// The iteration whose ordered region may run.
#[derive(Default)]
pub struct Turn(AtomicU64);

impl Turn {
    /// Whether it has come to iteration `number`. Then what earlier ordered regions wrote is seen.
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

    /// Gives it to iteration `next`, whose thread may be asleep in `queue`. Called by the thread whose turn it is.
    #[inline(always)]
    pub fn pass(&self, next: u64, queue: &Queue) {
        // Nobody else changes the turn now, so that a release and the fence of `notify_all` would do; the exchange is
        // one access that waits for the line instead of two, and a tenth faster.
        self.0.swap(next, mutation::or_relaxed("turn: passed relaxed", Ordering::SeqCst));
        queue.of(next).notify_all_after_rmw();
    }

    /// Gives it to iteration 0 of another loop. Nobody waits for it.
    pub fn reset(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// How the thread that is next looks for its turn: in a way that brings it the cache line to write, since it is soon
/// going to.
///
/// A line that was only read has to be asked for once more when the turn is passed on, which takes as long again:
/// between CPUs that are far from each other 165 nanoseconds a turn, and 105 with looks that bring it to write. But a
/// look of that kind that comes too early takes the line away from the thread that is about to write it: between near
/// CPUs 43 nanoseconds, and 37 with looks that only read. So the first two only read, the second of them behind a
/// fence, without which the processor may do it before the pause between them is over: 26 to 36 nanoseconds, as the
/// pauses of the two threads lie to each other.
pub struct Gaze(u32);

impl Gaze {
    /// How many looks only read.
    const READING: u32 = 2;
    /// For how many looks a thread expects its turn soon.
    const EAGER: u32 = 10;

    /// A thread begins to look, or sees that others are before it.
    #[inline(always)]
    pub fn keen() -> Self {
        Gaze(0)
    }

    /// Each look only reads: whoever has the turn may not be running.
    #[inline(always)]
    pub fn calm() -> Self {
        Gaze(Self::EAGER)
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
        // Acquire: as in `now`. It writes what is there already.
        turn.0.compare_exchange(number, number, Ordering::Acquire, Ordering::Acquire).unwrap_or_else(|turn| turn)
    }
}

/// Where members sleep until their turn comes. Each waits for another iteration, so that who passes the turn on wakes
/// its successor and seldom anybody else: 8 threads on 2 CPUs that always sleep took 13 microseconds a turn when all
/// were woken, and take 8.6.
#[derive(Default)]
pub struct Queue([Event; Queue::EVENTS]);

impl Queue {
    #[cfg(not(loom))]
    const EVENTS: usize = 16;
    /// One, so that the model meets threads that are woken for another one's turn.
    #[cfg(loom)]
    const EVENTS: usize = 1;

    /// Where to sleep until the turn comes to iteration `number`.
    #[inline(always)]
    pub fn of(&self, number: u64) -> &Event {
        // The multiplier spreads the first iterations of chunks of any size (Knuth: a word's part in the golden ratio).
        let hash = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        &self.0[hash as usize % Self::EVENTS]
    }

    /// Wakes all who wait for a turn: none may come any more.
    pub fn notify_all(&self) {
        self.0.iter().for_each(Event::notify_all);
    }

    /// In a forked child: nobody sleeps.
    pub fn forget_sleepers(&self) {
        self.0.iter().for_each(Event::forget_sleepers);
    }
}
