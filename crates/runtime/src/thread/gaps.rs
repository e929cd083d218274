//! How a worker waits for the next region: it spins, then sleeps, and gets up again just before it is needed.
//!
//! A program often has similar times between its regions: the serial part of a time step. A worker knows the shortest
//! and the longest of its last sleeps. If they differ little, the worker sleeps a little less than the shortest one, and
//! spins until the longest one is over. The region then begins without a wake, which takes 60 microseconds with 4 threads
//! on 2 CPUs. The worker does not burn a CPU all the time, as a runtime does that spins for 200 milliseconds. A sleep
//! that is very different ends the prediction.

use super::wait::{self, InState, Spinner};
use crate::objects::gaps::Gaps;
use crate::park::event::{Event, Ticket};
use crate::park::waiter::Waiter;
use ::ompt::State;
use std::time::Duration;

/// Sleeps are alike if the shortest and the longest of them differ by at most this part of the longest gap, which is the
/// longest sleep and the spinning before it.
const ALIKE: u64 = 4;
/// So many sleeps in a row are alike before the next one is foreseen.
const KNOWN: u32 = 2;
/// The shortest and the longest sleep move by this part towards one that lies between them.
const FADES: u64 = 32;
/// A worker gets up before the shortest sleep is over by this part of it, within the two bounds.
const EARLIER: u64 = 16;
const LEAST_NS: u64 = 300_000;
const MOST_NS: u64 = 3_000_000;
/// Longer sleeps are not foreseen.
const LONGEST_NS: u64 = 2_000_000_000;
/// Sleeps that would need more spinning are not foreseen.
const MOST_SPUN_NS: u64 = 100_000_000;

/// The wait of a worker for its team's next region, which begins at the join of the last one.
pub struct BetweenRegions<'a> {
    pub gaps: &'a Gaps,
    /// What debuggers see while the worker sleeps.
    pub state: State,
    /// Where the team's workers sleep between regions.
    pub idle: &'a Event,
}

impl BetweenRegions<'_> {
    /// The region has begun. Learns from the sleep, if there was one.
    #[inline(always)]
    pub fn over(&self) {
        if self.gaps.since.get() != 0 {
            self.learn();
        }
    }

    #[cold]
    fn learn(&self) {
        let gaps = self.gaps;
        let gap = wait::now_ns().saturating_sub(gaps.since.take());
        let shortest = gaps.shortest.get();
        let shortest = gap.min(shortest + gap.saturating_sub(shortest) / FADES);
        let longest = gaps.longest.get();
        let longest = gap.max(longest - longest.saturating_sub(gap) / FADES);
        let longest_gap = longest.saturating_add(wait::spin_ns());
        let are_alike = gaps.alike.get() > 0 && longest - shortest <= longest_gap / ALIKE;
        gaps.shortest.set(if are_alike { shortest } else { gap });
        gaps.longest.set(if are_alike { longest } else { gap });
        gaps.alike.set(if are_alike { gaps.alike.get().saturating_add(1) } else { 1 });
        gaps.spins.set(0);
    }

    /// For how long the worker is to sleep at first, and how many times it is to spin then. None if the worker sleeps
    /// until it is woken. A sleep that would be very short is none.
    fn nap(&self) -> Option<(Duration, u32)> {
        let (shortest, longest) = (self.gaps.shortest.get(), self.gaps.longest.get());
        let early = (shortest / EARLIER).clamp(LEAST_NS, MOST_NS);
        let nap = shortest.saturating_sub(early);
        let spun = longest - shortest + 2 * early;
        let spin = wait::spin_ns();
        let is_known = self.gaps.alike.get() >= KNOWN && longest < LONGEST_NS;
        let pays = spun < MOST_SPUN_NS && spin > 0;
        let nap = if nap > LEAST_NS { nap } else { 0 };
        (is_known && pays).then(|| (Duration::from_nanos(nap), spun.div_ceil(spin) as u32))
    }
}

impl Waiter for BetweenRegions<'_> {
    type Pace = Spinner;

    #[inline(always)]
    fn begin(&self) -> Spinner {
        Spinner::new()
    }

    #[inline(always)]
    fn pause(&self, pace: &mut Spinner) -> bool {
        if pace.pause() {
            return true;
        }
        let spins = self.gaps.spins.get();
        if spins > 0 {
            self.gaps.spins.set(spins - 1);
            pace.restart();
        }
        spins > 0
    }

    #[inline(always)]
    fn sleep(&self, event: &Event, ticket: Ticket) {
        let gaps = self.gaps;
        let is_first = std::ptr::eq(event, self.idle) && gaps.since.get() == 0;
        if is_first {
            gaps.since.set(wait::now_ns());
            if let Some((nap, spins)) = self.nap() {
                gaps.spins.set(spins);
                return match nap {
                    Duration::ZERO => event.cancel(ticket),
                    nap => wait::sleep_in_for(self.state, event, ticket, nap),
                };
            }
        }
        InState(self.state).sleep(event, ticket);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sleeps_that_are_alike_are_foreseen() {
        let (gaps, idle) = (Gaps::default(), Event::new());
        let waiter = BetweenRegions { gaps: &gaps, state: State::IDLE, idle: &idle };
        let sleep = |ms: u64| {
            gaps.since.set(wait::now_ns() - ms * 1_000_000);
            waiter.over();
            waiter.nap().map(|(nap, spins)| (nap.as_millis(), spins))
        };
        assert_eq!(sleep(300), None);
        assert_eq!(sleep(310), Some((297, 2)));
        assert_eq!(sleep(280), Some((277, 4)), "up before the shortest one, spinning until the longest one");
        assert_eq!(sleep(500), None, "a very different sleep ends the prediction");
        assert_eq!(sleep(500), Some((497, 1)));
        assert_eq!((sleep(4), sleep(6)), (None, Some((3, 1))), "unequal sleeps, but similar gaps");
        assert_eq!((sleep(1500), sleep(1300)), (None, None), "too much spinning");
        assert_eq!((sleep(0), sleep(0)), (None, Some((0, 1))), "spins on");
    }
}
