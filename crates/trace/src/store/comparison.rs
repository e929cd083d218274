//! Comparisons of a process's clock with that of MPI's rank 0, and the correction that follows from them.

use serde::{Deserialize, Serialize};

/// What the ranks of a run found out about a process's clock at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Comparison {
    /// When, by the process's own clock: nanoseconds since 1970-01-01 UTC.
    pub at_unix_ns: u64,
    /// How much the process's clock is ahead of rank 0's, in nanoseconds.
    pub offset_ns: i64,
    /// The offset is off by no more than these nanoseconds.
    pub error_ns: u64,
    /// The different clocks that the ranks have.
    pub clocks: u32,
}

/// How the times of a process become times of rank 0's clock.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Correction {
    /// The start of the recording by rank 0's clock, in nanoseconds since 1970-01-01 UTC.
    pub start_unix_ns: u64,
    /// Nanoseconds of rank 0's clock in a nanosecond of the process's.
    pub rate: f64,
}

/// The correction by the first and the last comparison, of a process whose recording began at `start_unix_ns` by its
/// own clock. The offset changes evenly between both, if it changes by more than the comparisons' errors. Otherwise the
/// better comparison counts. None without comparisons.
pub fn correction(start_unix_ns: u64, comparisons: &[Comparison]) -> Option<Correction> {
    let (first, last) = (comparisons.first()?, comparisons.last()?);
    let change = i128::from(last.offset_ns) - i128::from(first.offset_ns);
    let between = last.at_unix_ns.saturating_sub(first.at_unix_ns);
    let errors = first.error_ns.saturating_add(last.error_ns);
    let drifts =
        between > 0 && change.unsigned_abs() > u128::from(errors) && change.unsigned_abs() < u128::from(between);
    let drift = if drifts { change as f64 / between as f64 } else { 0.0 };
    let base = if drifts || first.error_ns <= last.error_ns { first } else { last };
    // The recording begins before the first comparison.
    let since = start_unix_ns as i128 - i128::from(base.at_unix_ns);
    let offset = i128::from(base.offset_ns) + (drift * since as f64) as i128;
    let start = (start_unix_ns as i128 - offset).clamp(0, i128::from(u64::MAX));
    Some(Correction { start_unix_ns: start as u64, rate: 1.0 - drift })
}

/// The largest error of the comparisons; none without them.
pub fn error_ns(comparisons: &[Comparison]) -> Option<u64> {
    comparisons.iter().map(|one| one.error_ns).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: u64 = 1_800_000_000_000_000_000;

    fn compared(after_ns: u64, offset_ns: i64, error_ns: u64) -> Comparison {
        Comparison { at_unix_ns: START + after_ns, offset_ns, error_ns, clocks: 2 }
    }

    #[test]
    fn an_offset_moves_the_start() {
        assert_eq!(correction(START, &[]), None);
        let one = correction(START, &[compared(1_000, -5_000, 40)]).unwrap();
        assert_eq!(one, Correction { start_unix_ns: START + 5_000, rate: 1.0 });
        // A change within the errors is none.
        let steady = [compared(1_000, 700, 90), compared(1_000_000_000, 780, 10)];
        assert_eq!(correction(START, &steady), Some(Correction { start_unix_ns: START - 780, rate: 1.0 }));
    }

    #[test]
    fn a_drift_changes_the_rate() {
        // 20 millionths in 100 s, from an offset of 3 ms at the start on.
        let (first, last) = (2_000_000_000, 100_000_000_000);
        let offset = |after: u64| 3_000_000 + (after / 50_000) as i64;
        let found = correction(START, &[compared(first, offset(first), 50), compared(last, offset(last), 50)]).unwrap();
        assert!(found.start_unix_ns.abs_diff(START - 3_000_000) <= 2, "{found:?}");
        assert!((found.rate - (1.0 - 20e-6)).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn damaged_numbers_give_some_correction() {
        let odd = [compared(0, i64::MIN, u64::MAX), Comparison { offset_ns: i64::MAX, ..Comparison::default() }];
        for comparisons in [&odd[..], &odd[..1], &odd[1..]] {
            assert!(correction(START, comparisons).is_some_and(|found| found.rate.is_finite()));
        }
    }
}
