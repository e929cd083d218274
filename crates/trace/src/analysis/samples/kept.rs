//! Registers of samples: some of each activity, so that a summary does not grow with the run.

use crate::store::sample::Registers;
use serde::{Deserialize, Serialize};

/// Of each activity, so many samples' registers are kept.
const MOST: usize = 256;

/// A sample's registers, from which the memory follows that its code accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SampledRegisters {
    /// The thread's index in the trace.
    pub thread: u32,
    /// The instruction pointer.
    pub address: u64,
    /// The general registers.
    pub registers: Registers,
}

/// A sample of the samples: each one of an activity is kept with the same probability (Vitter's algorithm R, 1985).
/// The choice is the same in each analysis of a trace.
#[derive(Clone, Default)]
pub(super) struct Kept {
    kept: Vec<SampledRegisters>,
    /// How many there were.
    seen: u64,
}

impl Kept {
    /// Takes the next one.
    pub fn add(&mut self, sampled: SampledRegisters) {
        self.seen += 1;
        if self.kept.len() < MOST {
            self.kept.push(sampled);
        } else if let Some(kept) = self.kept.get_mut((scattered(self.seen) % self.seen) as usize) {
            *kept = sampled;
        }
    }

    /// Takes those of the same activity at another address.
    pub fn unite(&mut self, other: Kept) {
        let seen = self.seen + other.seen;
        other.kept.into_iter().for_each(|sampled| self.add(sampled));
        self.seen = seen;
    }

    /// In an order that does not depend on that of the samples.
    pub fn sorted(mut self) -> Vec<SampledRegisters> {
        self.kept.sort_unstable();
        self.kept
    }
}

/// A number that has nothing to do with `number`, always the same (Steele, Lea and Flood's SplitMix, 2014).
fn scattered(number: u64) -> u64 {
    let mut word = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_of_the_whole_run_are_kept() {
        let mut kept = Kept::default();
        (0..10_000).for_each(|address| kept.add(SampledRegisters { thread: 0, address, registers: [0; 16] }));
        let kept = kept.sorted();
        assert_eq!(kept.len(), MOST);
        let late = kept.iter().filter(|sampled| sampled.address >= 5_000).count();
        assert!((MOST / 3..MOST * 2 / 3).contains(&late), "{late} of {MOST}");
    }
}
