//! Delays: the time from the moment when a thread could go on to the moment when it did. They come from the runtime
//! and the system. A replay keeps each of them as measured, or takes the median of the delays at the same spot.

use super::moment::Moment;
use std::rc::Rc;

/// Buckets of a power of two.
const FINE: u64 = 8;

/// The delays of one spot, by their length.
#[derive(Clone, Debug, Default)]
struct Histogram(Vec<u64>);

/// The delays of a run, by the number of the spot, and whether the thread had to wait before. A thread that sleeps
/// takes longer to go on. Replays of one trace number the spots alike.
#[derive(Debug)]
pub enum Delays {
    /// As measured. They are counted.
    Measured(Counted),
    /// The median of the measured ones.
    Typical(Rc<[u64]>),
}

/// The delays that a replay has met.
#[derive(Clone, Debug, Default)]
pub struct Counted(Vec<Histogram>);

impl Counted {
    /// Their medians.
    pub fn medians(&self) -> Rc<[u64]> {
        self.0.iter().map(Histogram::median).collect()
    }
}

impl Histogram {
    fn add(&mut self, ns: u64) {
        let bucket = bucket(ns) as usize;
        if self.0.len() <= bucket {
            self.0.resize(bucket + 1, 0);
        }
        self.0[bucket] += 1;
    }

    fn median(&self) -> u64 {
        let mut left = self.0.iter().sum::<u64>().div_ceil(2);
        let bucket = self.0.iter().position(|count| {
            left = left.saturating_sub(*count);
            left == 0
        });
        bucket.map_or(0, |bucket| middle(bucket as u64))
    }
}

/// Short delays have a bucket each, and longer ones share [`FINE`] of them for each power of two.
fn bucket(ns: u64) -> u64 {
    if ns < FINE {
        return ns;
    }
    let octave = u64::from(ns.ilog2()) - u64::from(FINE.ilog2());
    (octave + 1) * FINE + ((ns >> octave) - FINE)
}

fn middle(bucket: u64) -> u64 {
    if bucket < FINE {
        return bucket;
    }
    let octave = bucket / FINE - 1;
    let from = (FINE + bucket % FINE) << octave;
    from + ((1 << octave) >> 1)
}

impl Delays {
    /// A thread that could go on goes on at `to` of the recorded run.
    pub fn pass(&mut self, at: &mut Moment, to: u64, (spot, waited): (u32, bool), factor: f64) {
        let measured = to.saturating_sub(at.measured);
        let index = 2 * spot as usize + usize::from(waited);
        match self {
            Delays::Measured(Counted(counts)) => {
                if counts.len() <= index {
                    counts.resize(index + 1, Histogram::default());
                }
                counts[index].add(measured);
                at.work(to, spot, factor);
            }
            Delays::Typical(medians) => {
                let median = medians.get(index).copied().unwrap_or(0);
                let from = at.measured;
                at.work(from.saturating_add(median), spot, factor);
                at.measured = from.max(to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_within_a_sixteenth() {
        for ns in [0, 1, 7, 8, 9, 100, 12_345, 1 << 40, u64::MAX] {
            let mut histogram = Histogram::default();
            histogram.add(ns);
            let median = histogram.median();
            assert!(median.abs_diff(ns) <= ns / 15, "{ns}: {median}");
        }
        let mut histogram = Histogram::default();
        [5, 1000, 3, 4, 5_000_000].into_iter().for_each(|ns| histogram.add(ns));
        assert_eq!(histogram.median(), 5);
        assert_eq!(Histogram::default().median(), 0);
    }
}
