//! How far buffers have come on their way back to the tool, by their numbers. `README.md` has the protocol.

use crate::model::atomic::{AtomicU32, Ordering};

/// The greatest number of a buffer. The next number is 0.
const NUMBERS: u32 = u32::MAX >> 1;

/// The progress of buffers that go back in the order of their numbers: those of one channel, or those that no channel
/// could use.
#[derive(Default)]
pub struct Progress {
    /// The last number that [`next`](Self::next) has given out. Not used for a channel, which numbers its buffers
    /// itself.
    given: AtomicU32,
    /// The last buffer that the helper has taken. Written under the queue's lock.
    taken: AtomicU32,
    /// The last buffer whose completion callback has returned. Written by the helper.
    delivered: AtomicU32,
}

/// Whether `number` is `last` or a later number.
fn has_reached(number: u32, last: u32) -> bool {
    number.wrapping_sub(last) & NUMBERS < NUMBERS / 2
}

impl Progress {
    /// The number of one more buffer. The caller must post the buffer, because other threads wait for it from here on.
    pub fn next(&self) -> u32 {
        // Release: a thread that waits for the number finds the buffer on its way.
        (self.given.fetch_add(1, Ordering::AcqRel) + 1) & NUMBERS
    }

    /// The last number that [`next`](Self::next) has given out.
    pub fn last(&self) -> u32 {
        self.given.load(Ordering::Acquire) & NUMBERS
    }

    /// The helper takes this buffer, if it is the next one. Under the queue's lock.
    pub fn take(&self, number: u32) -> bool {
        let next = (self.taken.load(Ordering::Relaxed) + 1) & NUMBERS == number;
        if next {
            self.taken.store(number, Ordering::Release);
        }
        next
    }

    /// The completion callback of this buffer has returned. A completion callback that ends its device makes deliveries
    /// inside its own. The outer number then comes last and is the earlier one, so it must not replace the inner
    /// number.
    pub fn deliver(&self, number: u32) {
        if !has_reached(self.delivered.load(Ordering::Relaxed), number) {
            self.delivered.store(number, Ordering::Release);
        }
    }

    /// Whether all buffers up to this one have been delivered. The helper may be inside the last delivery, so for the
    /// helper: whether it has taken them.
    pub fn reached(&self, last: u32, on_helper: bool) -> bool {
        let now = if on_helper { &self.taken } else { &self.delivered };
        has_reached(now.load(Ordering::Acquire), last)
    }

    /// In a forked child: as new.
    #[cfg(not(loom))]
    pub fn forget_after_fork(&self) {
        for number in [&self.given, &self.taken, &self.delivered] {
            number.store(0, Ordering::Relaxed);
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;

    #[test]
    fn delivery_inside_of_a_delivery_is_not_taken_back() {
        let progress = Progress::default();
        let (outer, inner) = (progress.next(), progress.next());
        assert!(!progress.take(inner), "not before the first");
        assert!(progress.take(outer) && progress.take(inner));
        progress.deliver(inner);
        progress.deliver(outer);
        assert!(progress.reached(inner, false));
    }

    #[test]
    fn numbers_come_round() {
        assert!(has_reached(0, NUMBERS) && has_reached(3, NUMBERS - 1));
        assert!(!has_reached(NUMBERS, 0) && !has_reached(NUMBERS - 1, 3));
    }
}
