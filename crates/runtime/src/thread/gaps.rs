//! How a worker waits for the next region: it spins, then sleeps, and gets up again just before it is needed.
//!
//! A program often has similar times between its regions: the serial part of a time step. A worker knows the shortest
//! and the longest of its last sleeps. If they differ little, the worker sleeps a little less than the shortest one,
//! and spins until the longest one is over. The region then begins without a wake, which takes 60 microseconds with 4
//! threads on 2 CPUs. The worker does not burn a CPU all the time, as a runtime does that spins for 200 milliseconds. A
//! sleep that is very different ends the prediction.

use super::wait::{self, InState, Spinner};
use crate::objects::gaps::Gaps;
use crate::park::event::{Event, Ticket};
use crate::park::waiter::Waiter;
use ::ompt::State;
use std::time::Duration;

/// Sleeps are alike if the shortest and the longest of them differ by at most this part of the longest gap, which is
/// the longest sleep and the spinning before it.
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
/// Sleeps that would need more spinning are not foreseen, nor those that would need so many times what a thread is to
/// spin.
const MOST_SPUN_NS: u64 = 100_000_000;
const MOST_SPUN: u64 = 10;

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
            self.learn(wait::now_ns().saturating_sub(self.gaps.since.take()));
        }
    }

    /// Learns from a sleep of so many nanoseconds.
    #[cold]
    fn learn(&self, gap: u64) {
        let gaps = self.gaps;
        let shortest = gaps.shortest.get();
        let shortest = gap.min(shortest + gap.saturating_sub(shortest) / FADES);
        let longest = gaps.longest.get();
        let longest = gap.max(longest - longest.saturating_sub(gap) / FADES);
        let longest_gap = longest.saturating_add(wait::spin_ns());
        let are_alike = gaps.alike.get() > 0 && longest - shortest <= longest_gap / ALIKE;
        gaps.shortest.set(if are_alike { shortest } else { gap });
        gaps.longest.set(if are_alike { longest } else { gap });
        gaps.alike.set(if are_alike { gaps.alike.get().saturating_add(1) } else { 1 });
        gaps.spins_until.set(0);
    }

    /// For how long the worker is to sleep at first, and to spin then. None if the worker sleeps until it is woken. A
    /// sleep that would be very short is none.
    fn nap(&self) -> Option<(Duration, Duration)> {
        let (shortest, longest) = (self.gaps.shortest.get(), self.gaps.longest.get());
        let early = (shortest / EARLIER).clamp(LEAST_NS, MOST_NS);
        let nap = shortest.saturating_sub(early);
        let spun = longest - shortest + 2 * early;
        let spin = wait::spin_ns();
        let is_known = self.gaps.alike.get() >= KNOWN && longest < LONGEST_NS;
        let pays = spun < MOST_SPUN_NS.min(spin.saturating_mul(MOST_SPUN)) && spin >= LEAST_NS;
        let nap = if nap > LEAST_NS { nap } else { 0 };
        (is_known && pays).then(|| (Duration::from_nanos(nap), Duration::from_nanos(spun)))
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
        let until = self.gaps.spins_until.get();
        let is_early = until > 0 && wait::now_ns() < until;
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
            let now = wait::now_ns();
            gaps.since.set(now);
            if let Some((nap, spun)) = self.nap() {
                gaps.spins_until.set(now + (nap + spun).as_nanos() as u64);
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
            waiter.learn(ms * 1_000_000);
            waiter.nap().map(|(nap, spun)| (nap.as_millis(), spun.as_millis()))
        };
        assert_eq!(sleep(300), None);
        assert_eq!(sleep(310), Some((297, 15)));
        assert_eq!(sleep(280), Some((277, 35)), "up before the shortest one, spinning until the longest one");
        assert_eq!(sleep(500), None, "a very different sleep ends the prediction");
        assert_eq!(sleep(500), Some((497, 6)));
        assert_eq!((sleep(4), sleep(6)), (None, Some((3, 2))), "unequal sleeps, but similar gaps");
        assert_eq!((sleep(1500), sleep(1300)), (None, None), "too much spinning");
        assert_eq!((sleep(0), sleep(0)), (None, Some((0, 0))), "spins on");
    }
}
