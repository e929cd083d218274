//! How far buffers have come on their way back to the tool, by their numbers. `README.md` has the protocol.

use crate::model::atomic::{AtomicU32, Ordering};

/// Numbers of buffers, which come round.
const NUMBERS: u32 = u32::MAX >> 1;

/// Buffers that go back in the order of their numbers: those of one strip, or those of a trace that no strip could use.
pub struct Progress {
    /// The last number that [`next`](Self::next) has given out. Not used for a strip, which numbers its buffers itself.
    given: AtomicU32,
    /// The last buffer that the helper has taken. Written in the queue's lock.
    taken: AtomicU32,
    /// The last one whose completion callback has returned. Written by the helper.
    delivered: AtomicU32,
}

impl Default for Progress {
    fn default() -> Self {
        Progress { given: AtomicU32::new(0), taken: AtomicU32::new(0), delivered: AtomicU32::new(0) }
    }
}

/// Whether `number` is at `last` or behind it.
fn has_reached(number: u32, last: u32) -> bool {
    number.wrapping_sub(last) & NUMBERS < NUMBERS / 2
}

impl Progress {
    /// The number of one more buffer. The caller posts the buffer, whatever happens: others wait for it from here on.
    pub fn next(&self) -> u32 {
        // Release, as whoever waits for the number has to find the buffer on its way.
        (self.given.fetch_add(1, Ordering::AcqRel) + 1) & NUMBERS
    }

    /// The last number that [`next`](Self::next) has given out.
    pub fn last(&self) -> u32 {
        self.given.load(Ordering::Acquire) & NUMBERS
    }

    /// The helper takes this buffer, if it is the next one. In the queue's lock.
    pub fn take(&self, number: u32) -> bool {
        let next = (self.taken.load(Ordering::Relaxed) + 1) & NUMBERS == number;
        if next {
            self.taken.store(number, Ordering::Release);
        }
        next
    }

    /// The tool has had this buffer. A completion callback that ends its device makes deliveries inside of one: the
    /// number that comes late is the earlier one, and must not take back what others wait for.
    pub fn deliver(&self, number: u32) {
        if !has_reached(self.delivered.load(Ordering::Relaxed), number) {
            self.delivered.store(number, Ordering::Release);
        }
    }

    /// Whether all buffers up to this one have been delivered; on the helper, which may be inside the last delivery,
    /// whether it has taken them.
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
