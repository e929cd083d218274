//! Parking: how a thread sleeps until a condition that lives in other memory becomes true.
//!
//! An event count. The protocol, and why no wake is lost, is in `sync/README.md`.

use crate::model::atomic::{AtomicU32, Ordering, fence};
use crate::model::mutation;
use crate::park::futex;

/// A place to sleep. Waiters register, look at their condition once more, then sleep; notifiers
/// change the condition first and look for sleepers after.
pub struct Event {
    /// Moves on with each notification that found a sleeper; the word that sleepers sleep on.
    sequence: AtomicU32,
    /// How many threads are between `prepare` and the end of their sleep.
    sleepers: AtomicU32,
    /// 1 from a `call_one` until the called sleeper is up, and then 0.
    called: AtomicU32,
}

/// The right to sleep once, from [`Event::prepare`].
#[must_use]
pub struct Ticket(u32);

impl Event {
    #[cfg(not(loom))]
    pub const fn new() -> Self {
        Event { sequence: AtomicU32::new(0), sleepers: AtomicU32::new(0), called: AtomicU32::new(0) }
    }

    #[cfg(loom)]
    pub fn new() -> Self {
        Event { sequence: AtomicU32::new(0), sleepers: AtomicU32::new(0), called: AtomicU32::new(0) }
    }

    /// Registers the caller as about to sleep. The caller then checks its condition once more and
    /// calls [`sleep`](Self::sleep) or [`cancel`](Self::cancel).
    #[cold]
    pub fn prepare(&self) -> Ticket {
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let ticket = Ticket(self.sequence.load(Ordering::SeqCst));
        // A call that found nobody asleep must not stand in the way of the next one. After the ticket:
        // a call from here on moves the sequence away from it.
        self.called.swap(0, Ordering::SeqCst);
        // Orders the registration before the caller's last look at its condition; pairs with the
        // fence in `notify`.
        if !mutation::is("event: no fence after the registration") {
            fence(Ordering::SeqCst);
        }
        ticket
    }

    /// Sleeps unless somebody has notified since the ticket was taken.
    #[cold]
    pub fn sleep(&self, ticket: Ticket) {
        futex::wait(&self.sequence, ticket.0);
        self.leave();
    }

    /// As [`sleep`](Self::sleep), for a bounded time.
    #[cfg(not(loom))]
    #[cold]
    pub fn sleep_for(&self, ticket: Ticket, limit: std::time::Duration) {
        futex::wait_for(&self.sequence, ticket.0, Some(limit));
        self.leave();
    }

    /// Gives the ticket back: the condition turned out to be true.
    #[cold]
    pub fn cancel(&self, _ticket: Ticket) {
        self.leave();
    }

    /// The caller is up again, and looks around after this.
    fn leave(&self) {
        self.sleepers.fetch_sub(1, Ordering::Relaxed);
        self.called.swap(0, Ordering::SeqCst);
        fence(Ordering::SeqCst);
    }

    /// Whether a thread may be asleep: exact for a caller whose change of the condition comes before
    /// this in the order of sequentially consistent operations.
    #[inline(always)]
    pub fn has_sleepers(&self) -> bool {
        self.sleepers.load(Ordering::SeqCst) != 0
    }

    /// Wakes everybody who sleeps, if anybody does. Called after the condition was changed.
    #[inline(always)]
    pub fn notify_all(&self) {
        if !mutation::is("event: no fence before the look for sleepers") {
            fence(Ordering::SeqCst);
        }
        if self.has_sleepers() {
            self.wake(i32::MAX);
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
            self.wake(i32::MAX);
        }
    }

    /// Wakes one sleeper, unless another that was called is not up yet. The caller has published, by a
    /// sequentially consistent read-modify-write, something that each sleeper here can use up; who
    /// comes up, finds something, and sees that there is more, calls the next.
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

    /// In a forked child: those who were about to sleep, or asleep, do not exist.
    pub fn forget_sleepers(&self) {
        self.sleepers.store(0, Ordering::Relaxed);
        self.called.store(0, Ordering::Relaxed);
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
