//! The loops in which a thread waits for a condition: the thread looks, pauses, looks again, and sleeps in the end.
//!
//! The loops stand here once, so that the model tests check the loops that ship. What a model replaces is the
//! [`Waiter`]: how long a thread spins before it sleeps, and what a debugger sees of its sleep.

use super::event::{Event, Ticket};
use crate::model::mutation;

/// How a thread passes the time of one wait.
pub trait Waiter {
    /// What a wait keeps count of: how long the thread has spun.
    type Pace;

    /// A wait begins, or begins anew because something has happened.
    fn begin(&self) -> Self::Pace;

    /// Lets a moment pass. Returns false when the thread should sleep instead of pausing again.
    fn pause(&self, pace: &mut Self::Pace) -> bool;

    /// Sleeps on `event`, for which the thread holds `ticket`.
    fn sleep(&self, event: &Event, ticket: Ticket);
}

/// Waits until `ready` is true. The thread that makes the condition true notifies `event` afterwards.
#[inline]
pub fn until<W: Waiter>(waiter: &W, event: &Event, mut ready: impl FnMut() -> bool) {
    if ready() {
        return;
    }
    until_paced_by(waiter, waiter.begin(), event, ready);
}

/// As [`until`], with a pace of the caller's.
#[inline]
pub fn until_paced_by<W: Waiter>(waiter: &W, mut pace: W::Pace, event: &Event, mut ready: impl FnMut() -> bool) {
    loop {
        if ready() {
            return;
        }
        if waiter.pause(&mut pace) {
            continue;
        }
        let ticket = event.prepare();
        // The second look. If the condition became true before the ticket was taken, no notification follows that would
        // wake this thread.
        if !mutation::is("wait: no second look") && ready() {
            event.cancel(ticket);
            return;
        }
        waiter.sleep(event, ticket);
    }
}

/// A thread of a model, which sleeps at once.
#[cfg(loom)]
pub struct SleepsAtOnce;

#[cfg(loom)]
impl Waiter for SleepsAtOnce {
    type Pace = ();

    fn begin(&self) {}

    fn pause(&self, (): &mut ()) -> bool {
        false
    }

    fn sleep(&self, event: &Event, ticket: Ticket) {
        event.sleep(ticket);
    }
}
