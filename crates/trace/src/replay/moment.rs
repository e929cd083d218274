//! A moment of a thread in both runs: the one that was recorded, and the one that is replayed.

use super::path::Path;

/// When something happened, and the chain of steps that led there since the begin of the innermost region.
#[derive(Clone, Debug, Default)]
pub struct Moment {
    /// In the recorded run.
    pub measured: u64,
    /// In the replayed run.
    pub replayed: u64,
    pub path: Path,
}

impl Moment {
    /// Time that takes as long in both runs, or `factor` times as long in the replay. Returns the replayed time.
    pub fn work(&mut self, to: u64, spot: u32, factor: f64) -> u64 {
        let time = to.saturating_sub(self.measured);
        // Exact as long as nothing is changed.
        let time = if factor == 1.0 { time } else { (time as f64 * factor) as u64 };
        self.measured = self.measured.max(to);
        self.replayed = self.replayed.saturating_add(time);
        self.path.add(spot, time);
        time
    }

    /// The thread has waited since this moment for `other`. It can go on at the later of both, in each run; in the
    /// recorded run no later than `most`. Returns whether the thread had to wait in the recorded run.
    pub fn wait_for(&mut self, other: &Moment, most: u64) -> bool {
        let waits = other.measured > self.measured;
        self.measured = self.measured.max(other.measured).min(most);
        if other.replayed >= self.replayed {
            self.replayed = other.replayed;
            self.path = other.path.clone();
        }
        waits
    }

    /// The later of both, in each run.
    pub fn unite(&mut self, other: &Moment) {
        self.measured = self.measured.max(other.measured);
        if other.replayed >= self.replayed {
            self.replayed = other.replayed;
            self.path = other.path.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_waited_for_decides() {
        let holder = Moment { measured: 100, replayed: 60, path: Path::default() };
        let mut early = Moment { measured: 20, replayed: 20, path: Path::default() };
        assert!(early.wait_for(&holder, 105));
        early.work(105, 7, 1.0);
        assert_eq!((early.measured, early.replayed, early.path.steps()), (105, 65, &[(7, 5)][..]));
        let mut late = Moment { measured: 90, replayed: 90, path: Path::default() };
        assert!(late.wait_for(&holder, 105));
        late.work(105, 7, 1.0);
        assert_eq!((late.measured, late.replayed), (105, 95));
    }
}
