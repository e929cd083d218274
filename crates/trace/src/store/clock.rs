//! The clock of the records: the time-stamp counter where it is invariant, else `CLOCK_MONOTONIC`. Pairs of both
//! clocks, taken now and then while recording, give the length of a tick.

use crate::arch;
use serde::{Deserialize, Serialize};

/// What a record's time counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Cycles of the time-stamp counter.
    Tsc,
    /// Nanoseconds of `CLOCK_MONOTONIC`.
    #[default]
    Monotonic,
}

/// One moment in both clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// Ticks of the recorder's clock.
    pub ticks: u64,
    /// Nanoseconds of `CLOCK_MONOTONIC`.
    pub ns: u64,
}

/// The clock as `meta.json` describes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Clock {
    /// Which clock.
    pub source: Source,
    /// The moment at which recording started; times of events count from here.
    pub start: Pair,
    /// A later moment: some milliseconds after the start, or the end of the recording.
    pub later: Pair,
}

/// Reads clocks; made once a process.
#[derive(Clone, Copy, Debug)]
pub struct Ticker {
    source: Source,
}

impl Ticker {
    /// Chooses the time-stamp counter if the CPU calls it invariant and the kernel has not found it unreliable.
    pub fn choose() -> Ticker {
        let source = if arch::ticks_are_steady() && kernel_trusts_ticks() { Source::Tsc } else { Source::Monotonic };
        Ticker { source }
    }

    /// Reads the clock that a process of this machine has chosen.
    pub fn of(source: Source) -> Ticker {
        Ticker { source }
    }

    /// The clock it reads.
    pub fn source(self) -> Source {
        self.source
    }

    /// The time now, in ticks.
    #[inline(always)]
    pub fn now(self) -> u64 {
        match self.source {
            Source::Tsc => arch::ticks(),
            Source::Monotonic => monotonic_ns(),
        }
    }

    /// Both clocks at one moment: the closest of a few tries.
    pub fn pair(self) -> Pair {
        if self.source == Source::Monotonic {
            let ns = monotonic_ns();
            return Pair { ticks: ns, ns };
        }
        let mut best = (u64::MAX, Pair::default());
        for _ in 0..5 {
            let before = arch::ticks();
            let ns = monotonic_ns();
            let width = arch::ticks().wrapping_sub(before);
            if width < best.0 {
                best = (width, Pair { ticks: before + width / 2, ns });
            }
        }
        best.1
    }
}

/// Nanoseconds of `CLOCK_MONOTONIC`.
pub fn monotonic_ns() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Whether the kernel's clock is made of the counter. The kernel switches to another clock source if the counter drifts
/// between CPUs.
fn kernel_trusts_ticks() -> bool {
    match std::fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource") {
        Ok(name) => arch::CLOCK_SOURCES.contains(&name.trim()),
        Err(_) => true,
    }
}

/// Translates ticks into nanoseconds since the start of the recording.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    start: u64,
    ns_per_tick: f64,
}

/// All numbers below are those of an `i64`.
const LARGE: f64 = (1u64 << 62) as f64;

impl Scale {
    /// The scale through the start and the latest plausible pair of `later`.
    pub fn new(clock: &Clock, later: impl IntoIterator<Item = Pair>) -> Scale {
        let start = clock.start;
        let ns_per_tick = match clock.source {
            Source::Monotonic => 1.0,
            Source::Tsc => later
                .into_iter()
                .chain([clock.later])
                .filter(|pair| pair.ticks > start.ticks && pair.ns > start.ns)
                .map(|pair| (pair.ns, (pair.ns - start.ns) as f64 / (pair.ticks - start.ticks) as f64))
                // A counter runs between 10 MHz and 10 GHz; anything else is a damaged pair.
                .filter(|(_, rate)| (0.1..100.0).contains(rate))
                .max_by_key(|(ns, _)| *ns)
                .map_or(1.0, |(_, rate)| rate),
        };
        Scale { start: start.ticks, ns_per_tick }
    }

    /// The same for a clock that runs faster by this rate.
    pub fn faster(self, rate: f64) -> Scale {
        Scale { ns_per_tick: self.ns_per_tick * rate, ..self }
    }

    /// Nanoseconds since the start of the recording; times before it are 0.
    #[inline]
    pub fn ns(&self, ticks: u64) -> u64 {
        let ticks = ticks.saturating_sub(self.start);
        // A CPU converts signed numbers in one instruction, and unsigned ones in many.
        let ns = ticks as i64 as f64 * self.ns_per_tick;
        if ticks as i64 >= 0 && (0.0..LARGE).contains(&ns) {
            // SAFETY: the number is neither negative nor too large nor NaN.
            return unsafe { ns.to_int_unchecked::<i64>() } as u64;
        }
        (ticks as f64 * self.ns_per_tick) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_follows_the_latest_sane_pair() {
        let clock =
            Clock { source: Source::Tsc, start: Pair { ticks: 1000, ns: 500 }, later: Pair { ticks: 3000, ns: 1490 } };
        let scale = Scale::new(&clock, [Pair { ticks: 21_000, ns: 10_500 }, Pair { ticks: 1001, ns: u64::MAX }]);
        assert_eq!(scale.ns(1000), 0);
        assert_eq!(scale.ns(5000), 2000);
        assert_eq!(scale.ns(0), 0);
    }

    #[test]
    fn ticker_and_scale_agree_with_the_system() {
        let ticker = Ticker::choose();
        let start = ticker.pair();
        std::thread::sleep(std::time::Duration::from_millis(20));
        let later = ticker.pair();
        let scale = Scale::new(&Clock { source: ticker.source(), start, later }, []);
        let elapsed = scale.ns(later.ticks);
        assert!(elapsed.abs_diff(later.ns - start.ns) < 1000, "{elapsed}");
    }
}
