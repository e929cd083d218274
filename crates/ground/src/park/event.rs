//! Parking: how a thread sleeps until a condition that lives in other memory becomes true.
//!
//! An event count. The protocol, and why no wake is lost, is in `sync/README.md`; `tests/loom_event.rs` checks this
//! very code.
//!
//! An example: thread 1 waits until a flag is set, and thread 2 sets the flag.
//!
//! 1. Thread 1 finds the flag clear. It registers: `sleepers` is 1, and the ticket holds `sequence`, say 8.
//! 2. Meanwhile thread 2 sets the flag, and looks at `sleepers`. A fence stands between the two.
//! 3. Thread 1 looks at the flag once more. A fence stands between the registration and this look.
//! 4. If thread 2 saw a sleeper, it moves `sequence` to 9 and wakes the futex. Thread 1 does not fall asleep then,
//!    because the kernel compares `sequence` with 8; or it is asleep already and is woken.
//!
//! The two fences have an order. So thread 2 sees the registration, or thread 1 sees the flag. Without one of them both
//! could miss, and thread 1 would sleep for ever.

use crate::model;
use crate::model::atomic::{AtomicU32, Ordering, fence};
use crate::model::mutation;
use crate::park::futex;

/// A place to sleep. Waiters register, look at their condition once more, then sleep; notifiers
/// change the condition first and look for sleepers after.
pub struct Event {
    /// Counts the notifications that found a sleeper. The futex word.
    sequence: AtomicU32,
    /// How many threads are between `prepare` and the end of their sleep.
    sleepers: AtomicU32,
    /// 1 from a `call_one` until the called sleeper is awake, and then 0.
    called: AtomicU32,
    /// How many threads that are woken from here on are to wake others.
    relays: AtomicU32,
}

model::named_fields!(Event: sequence, sleepers, called, relays);

/// How many sleepers a thread wakes at most, before those that it has woken help.
///
/// Waking one thread takes some two microseconds and its way to its first instruction four. So trees of branching 3 and
/// 4 are the quickest, and a thread that is woken early loses little. On a simulated machine 192 sleepers are awake
/// after 86 microseconds; one thread takes 413 for them (`docs/scale-model.md`).
const BRANCH: u32 = if cfg!(loom) { 1 } else { 4 };
/// The most sleepers that one thread wakes alone. Small teams lose nothing to the system calls of others.
const WOKEN_BY_ONE: u32 = if cfg!(loom) { 2 } else { 8 };

/// The right to sleep once, from [`Event::prepare`].
#[must_use]
pub struct Ticket(u32);

impl Event {
    model::const_unless_modelled! {
        pub fn new() -> Self {
            Event {
                sequence: AtomicU32::new(0),
                sleepers: AtomicU32::new(0),
                called: AtomicU32::new(0),
                relays: AtomicU32::new(0),
            }
        }
    }

    /// Registers the caller as about to sleep. The caller then checks its condition once more and
    /// calls [`sleep`](Self::sleep) or [`cancel`](Self::cancel).
    #[cold]
    pub fn prepare(&self) -> Ticket {
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let ticket = Ticket(self.sequence.load(Ordering::SeqCst));
        // A call that found no thread asleep must not stand in the way of the next call. This comes after the ticket: a
        // call from here on moves the sequence away from the ticket's value.
        self.called.swap(0, Ordering::SeqCst);
        // Orders the registration before the caller's last look at its condition; pairs with the
        // fence in `notify`.
        if !mutation::is("event: no fence after the registration") {
            fence(Ordering::SeqCst);
        }
        ticket
    }

    /// Sleeps, unless there was a notification since the ticket was taken.
    #[cold]
    pub fn sleep(&self, ticket: Ticket) {
        futex::wait(&self.sequence, ticket.0);
        self.leave();
    }

    /// As [`sleep`](Self::sleep), for a bounded time.
    #[cfg(not(any(loom, simulated)))]
    #[cold]
    pub fn sleep_for(&self, ticket: Ticket, limit: std::time::Duration) {
        futex::wait_for(&self.sequence, ticket.0, Some(limit));
        self.leave();
    }

    /// Gives the ticket back, because the condition has become true.
    #[cold]
    pub fn cancel(&self, _ticket: Ticket) {
        self.leave();
    }

    /// The caller is awake again, and looks at its condition after this.
    fn leave(&self) {
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
        self.called.swap(0, Ordering::SeqCst);
        fence(Ordering::SeqCst);
        if self.relays.load(Ordering::Relaxed) != 0 && !mutation::is("event: nobody relays") {
            self.relay();
        }
    }

    /// Wakes the next sleepers of a notification to all, as one of those that were woken first. Whoever leaves does
    /// this, also a thread that was woken by something else: so no thread has to know what woke it.
    #[cold]
    fn relay(&self) {
        let mut relays = self.relays.load(Ordering::Relaxed);
        while relays > 0 {
            match self.relays.compare_exchange_weak(relays, relays - 1, Ordering::Relaxed, Ordering::Relaxed) {
                // The last one wakes all who are left. Otherwise threads that sleep for the next notification could be
                // woken in place of those that this one is for.
                Ok(1) => return futex::wake(&self.sequence, i32::MAX),
                Ok(_) => return futex::wake(&self.sequence, BRANCH as i32),
                Err(now) => relays = now,
            }
        }
    }

    /// Whether a thread may be asleep. Exact for a caller that changed the condition before this in the order of
    /// sequentially consistent operations.
    #[inline(always)]
    pub fn has_sleepers(&self) -> bool {
        self.sleepers.load(Ordering::SeqCst) != 0
    }

    /// Wakes all sleepers. Called after the condition was changed.
    #[inline(always)]
    pub fn notify_all(&self) {
        if !mutation::is("event: no fence before the look for sleepers") {
            fence(Ordering::SeqCst);
        }
        if self.has_sleepers() {
            self.wake_all();
        }
    }

    /// As [`notify_all`](Self::notify_all), for a caller that changed the condition by a sequentially consistent
    /// read-modify-write, which does what the fence would do.
    #[inline(always)]
    pub fn notify_all_after_rmw(&self) {
        // loom takes such operations for acquire and release ones; the README has the argument that needs more.
        #[cfg(loom)]
        fence(Ordering::SeqCst);
        if self.has_sleepers() {
            self.wake_all();
        }
    }

    /// Wakes one sleeper, unless another one that was called is not awake yet. The caller has published, by a
    /// sequentially consistent read-modify-write, something that each sleeper here can consume. A sleeper that wakes,
    /// consumes and sees that there is more calls the next one.
    #[inline(always)]
    pub fn call_one(&self) {
        if self.has_sleepers() {
            self.call();
        }
    }

    #[cold]
    fn call(&self) {
        if self.called.swap(1, Ordering::SeqCst) == 0 {
            self.wake(1);
        }
    }

    /// In a forked child, where the threads that slept, or were about to, do not exist.
    pub fn forget_sleepers(&self) {
        self.sleepers.store(0, Ordering::Relaxed);
        self.called.store(0, Ordering::Relaxed);
        self.relays.store(0, Ordering::Relaxed);
    }

    /// Wakes all sleepers: a few at once, each of whom wakes a few more.
    #[cold]
    fn wake_all(&self) {
        let sleepers = self.sleepers.load(Ordering::Relaxed);
        if sleepers <= WOKEN_BY_ONE {
            return self.wake(i32::MAX);
        }
        // Before the wake: who is woken looks for a relay. Relays that an earlier notification has left are replaced:
        // those whom it woke are still to come, and take new ones.
        let late = mutation::is("event: relays are counted after the wake");
        let count = || self.relays.store(sleepers.div_ceil(BRANCH), Ordering::Release);
        if !late {
            count();
        }
        self.wake(BRANCH as i32);
        if late {
            count();
        }
    }

    #[cold]
    fn wake(&self, count: i32) {
        if !mutation::is("event: a wake leaves the sequence as it is") {
            self.sequence.fetch_add(1, Ordering::SeqCst);
        }
        futex::wake(&self.sequence, count);
    }
}

impl Default for Event {
    fn default() -> Self {
        Self::new()
    }
}
