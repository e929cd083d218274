//! The offset of another clock, from messages there and back.

/// One message to another process and back.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// When the message left, by this process's clock, in nanoseconds.
    pub asked: u64,
    /// What the other clock showed meanwhile.
    pub answered: u64,
    /// When the answer was there, by this process's clock.
    pub back: u64,
}

/// How much another clock is ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Estimate {
    /// Nanoseconds; negative for a clock that is behind.
    pub offset: i64,
    /// The offset is off by no more than these nanoseconds, whatever the ways of the messages.
    pub error: u64,
}

/// The estimate of the quickest round: the other clock was read at some moment between the message and the answer, so
/// half of the time between them is the largest error. None without rounds.
pub fn estimate(rounds: &[Round]) -> Option<Estimate> {
    let best = rounds.iter().filter(|round| round.back >= round.asked).min_by_key(|round| round.back - round.asked)?;
    let width = best.back - best.asked;
    let middle = best.asked + width / 2;
    Some(Estimate { offset: best.answered.wrapping_sub(middle) as i64, error: width.div_ceil(2) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A round between clocks that are `offset` apart, with so much time on each way.
    fn round(asked: u64, offset: i64, there: u64, back: u64) -> Round {
        Round { asked, answered: (asked + there).wrapping_add_signed(offset), back: asked + there + back }
    }

    #[test]
    fn the_truth_is_within_the_error() {
        for offset in [-3_600_000_000_000, -17, 0, 4_000, 86_400_000_000_000] {
            // Ways that differ, some delayed by the system on one side only.
            let rounds: Vec<Round> = (1..50)
                .map(|number| {
                    let late = number * number % 13 * 1_000;
                    round(10_000_000_000_000 * number, offset, 700 + late, 900 + number % 7 * 100)
                })
                .collect();
            let found = estimate(&rounds).unwrap();
            assert!(found.offset.abs_diff(offset) <= found.error, "{offset}: {found:?}");
            assert!(found.error <= 1_500, "{found:?}");
        }
    }

    #[test]
    fn the_quickest_round_counts() {
        let rounds =
            [round(1_000_000, 500, 90_000, 10), round(2_000_000, 500, 40, 40), round(3_000_000, 500, 1_000, 0)];
        assert_eq!(estimate(&rounds), Some(Estimate { offset: 500, error: 40 }));
        assert_eq!(estimate(&[]), None);
    }
}
