//! The event of a detachable task: whether the task's body returns first or the event is fulfilled first, and which of
//! the events that a block of memory has had this one is. The protocol is in `task/README.md`; `tests/loom_detach.rs`
//! checks this very code.
//!
//! An example: thread 1 executes the task, and thread 2 fulfils the event.
//!
//! 1. Thread 1 leaves the body and sets `RETURNING`. `FULFILLING` was not set, so thread 1 is first. It reports to the
//!    tool that the task is detached.
//! 2. Meanwhile thread 2 sets `FULFILLING` and finds `RETURNING`, so thread 2 is second: the task is its own. It waits
//!    for `RETURNED`, because thread 1 still uses the task.
//! 3. Thread 1 sets `RETURNED` and does not touch the task any more. Thread 2 completes the task.
//!
//! Both bits are set by read-modify-writes of one word, so exactly one of the two threads is second. If thread 2 did
//! not wait, it could free the task while thread 1 reports.

use crate::model::atomic::{AtomicU16, Ordering};
use crate::model::mutation;
use crate::model::yield_now;

/// The body has returned, first or second.
const RETURNING: u16 = 1;
/// The body has returned, and the executing thread has let the task go.
const RETURNED: u16 = 2;
/// The event is fulfilled, first or second.
const FULFILLING: u16 = 4;
/// The event is fulfilled, and the fulfilling thread has let the task go.
const FULFILLED: u16 = 8;
/// There is an event.
const ARMED: u16 = 16;
/// Its task was discarded before it began.
const DISCARDED: u16 = 32;
/// The number of the event begins here.
const ONE: u16 = 64;

/// The word of an event. It outlives the task, because the program's handle may, and is kept when the memory is used
/// for another.
#[derive(Default)]
pub struct Event(AtomicU16);

/// What a fulfilment finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fulfilment {
    /// The body has not returned. The caller reports this, then calls [`Event::fulfilled`]; the task stays until then.
    Early,
    /// The body has returned, and the task is the caller's.
    Late,
    /// The task was discarded.
    Discarded,
    /// The memory has had another event since.
    Another,
    /// The event is fulfilled already, or there never was one.
    NotOpen,
}

impl Event {
    /// Opens the next event, for a task that no other thread knows yet. Returns the event's number.
    pub fn arm(&self) -> u16 {
        // Relaxed: the number is handed to other threads behind this.
        let word = (self.0.load(Ordering::Relaxed) & !(ONE - 1)).wrapping_add(ONE) | ARMED;
        self.0.store(word, Ordering::Relaxed);
        word / ONE
    }

    /// The number of the last event.
    pub fn number(&self) -> u16 {
        self.0.load(Ordering::Acquire) / ONE
    }

    /// The word of a block that is made anew, in memory that may have been another block: its events are numbered from
    /// `before` on.
    pub fn renew(&self, before: u16) {
        self.0.store(before.wrapping_mul(ONE), Ordering::Relaxed);
    }

    /// The task is discarded. No other thread uses it when this returns.
    pub fn discard(&self) {
        if self.0.fetch_or(DISCARDED, Ordering::AcqRel) & FULFILLING != 0 {
            self.wait_for(FULFILLED);
        }
    }

    /// The body has returned. Returns whether the event is fulfilled; then the task is complete, and no other thread
    /// uses it. If not, the caller reports this and calls [`let_go`](Self::let_go); a fulfilment completes the task.
    pub fn body_returns(&self) -> bool {
        // AcqRel, here and below: the second thread sees what the first one did.
        let second = self.0.fetch_or(RETURNING, Ordering::AcqRel) & FULFILLING != 0;
        if second {
            self.wait_for(FULFILLED);
        }
        second
    }

    /// The executing thread lets the task go, to the thread that fulfils the event.
    pub fn let_go(&self) {
        self.0.fetch_or(RETURNED, mutation::or_relaxed("detach: let go relaxed", Ordering::AcqRel));
    }

    /// Fulfils the event of that number. The memory may be any task's by now.
    pub fn fulfil(&self, number: u16) -> Fulfilment {
        let mut word = self.0.load(Ordering::Acquire);
        loop {
            if word / ONE != number {
                return Fulfilment::Another;
            }
            if word & DISCARDED != 0 {
                return Fulfilment::Discarded;
            }
            if word & (ARMED | FULFILLING) != ARMED {
                return Fulfilment::NotOpen;
            }
            match self.0.compare_exchange_weak(word, word | FULFILLING, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) if word & RETURNING == 0 => return Fulfilment::Early,
                Ok(_) => break,
                Err(now) => word = now,
            }
        }
        self.wait_for(RETURNED);
        Fulfilment::Late
    }

    /// The fulfilling thread lets the task go, to the thread that executes it.
    pub fn fulfilled(&self) {
        self.0.fetch_or(FULFILLED, mutation::or_relaxed("detach: fulfilled relaxed", Ordering::AcqRel));
    }

    /// Waits until the other thread has reported to the tool, which it is about to do.
    fn wait_for(&self, bit: u16) {
        while self.0.load(Ordering::Acquire) & bit == 0 {
            yield_now();
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn handle_of_an_earlier_event_opens_nothing() {
        let event = Event::default();
        assert_eq!(event.fulfil(0), Fulfilment::NotOpen, "there was none yet");
        let first = event.arm();
        event.discard();
        assert_eq!(event.fulfil(first), Fulfilment::Discarded);
        let second = event.arm();
        assert_eq!(event.fulfil(first), Fulfilment::Another);
        assert_eq!(event.fulfil(second), Fulfilment::Early);
        assert_eq!(event.fulfil(second), Fulfilment::NotOpen, "twice");
        event.fulfilled();
        assert!(event.body_returns());
    }

    #[test]
    fn numbers_come_again_only_after_many_events() {
        let event = Event::default();
        let first = event.arm();
        assert!((0..1023).all(|_| event.arm() != first));
        assert_eq!(event.arm(), first);
    }
}
