//! How a worker waits for the next region: it spins, then sleeps, and gets up again just before it is needed.
//!
//! A program often has equal times between its regions: the serial part of a time step. A worker that has slept twice
//! for about the same time sleeps a little less the next time, and spins for the rest. The region then begins without a
//! wake, which takes 60 microseconds with 4 threads on 2 CPUs, and the worker does not burn a CPU meanwhile, as a
//! runtime does that spins for 200 milliseconds. An unequal sleep ends the prediction.

use super::wait::{self, InState, Spinner};
use crate::objects::gaps::Gaps;
use crate::park::event::{Event, Ticket};
use crate::park::waiter::Waiter;
use ::ompt::State;
use std::time::Duration;

/// Sleeps are alike that differ by at most this part.
const ALIKE: u64 = 8;
/// A worker gets up before its time by this part of the sleep, within the two bounds.
const EARLIER: u64 = 16;
const LEAST_NS: u64 = 300_000;
const MOST_NS: u64 = 3_000_000;
/// Longer sleeps are not foreseen.
const LONGEST_NS: u64 = 2_000_000_000;

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
        let last = gaps.last.replace(gap);
        let is_alike = gap.abs_diff(last) <= last / ALIKE;
        gaps.expected.set(if is_alike { gap.min(last) } else { 0 });
        gaps.is_early.set(false);
    }

    /// For how long the worker is to sleep at first; none if until it is woken.
    fn nap(&self) -> Option<Duration> {
        let expected = self.gaps.expected.get();
        let nap = expected.checked_sub((expected / EARLIER).clamp(LEAST_NS, MOST_NS))?;
        let pays = nap > LEAST_NS && expected < LONGEST_NS && wait::spin_ns() > 0;
        pays.then(|| Duration::from_nanos(nap))
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
        let is_early = self.gaps.is_early.take();
        if is_early {
            pace.restart();
        }
        is_early
    }

    #[inline(always)]
    fn sleep(&self, event: &Event, ticket: Ticket) {
        let gaps = self.gaps;
        let is_first = std::ptr::eq(event, self.idle) && gaps.since.get() == 0;
        if is_first {
            gaps.since.set(wait::now_ns());
            if let Some(nap) = self.nap() {
                gaps.is_early.set(true);
                return wait::sleep_in_for(self.state, event, ticket, nap);
            }
        }
        InState(self.state).sleep(event, ticket);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sleeps_are_foreseen() {
        let (gaps, idle) = (Gaps::default(), Event::new());
        let waiter = BetweenRegions { gaps: &gaps, state: State::IDLE, idle: &idle };
        let sleep = |ms: u64| {
            gaps.since.set(wait::now_ns() - ms * 1_000_000);
            waiter.over();
            waiter.nap().map(|nap| nap.as_millis())
        };
        assert_eq!(sleep(300), None);
        assert_eq!(sleep(310), Some(297));
        assert_eq!(sleep(302), Some(299));
        assert_eq!(sleep(500), None, "an unequal sleep ends the prediction");
        assert_eq!(sleep(500), Some(497));
        assert_eq!((sleep(0), sleep(0)), (None, None), "too short to pay");
    }
}
