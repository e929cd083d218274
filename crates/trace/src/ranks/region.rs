//! A parallel region in all ranks.

use crate::analysis::Shares;
use crate::compare::Place;
use crate::symbols::Location;
use std::collections::BTreeMap;

/// What a region takes in one rank.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegionTime {
    /// Time of the encountering threads, in nanoseconds.
    pub ns: u64,
    /// Executions.
    pub calls: u64,
}

/// A parallel region, matched over ranks by its place in the source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RankRegion {
    /// The construct.
    pub place: Place,
    /// The place as one of the ranks has it.
    pub location: Location,
    /// What it takes in each rank that executes it.
    pub times: BTreeMap<u32, RegionTime>,
    /// Largest team.
    pub max_threads: u64,
    /// Thread times of all ranks.
    pub shares: Shares,
    /// Whether it was executed inside other regions.
    pub nested: bool,
}

impl RankRegion {
    /// The rank in which the region takes most, and its time; the first of equals.
    pub fn slowest(&self) -> (u32, u64) {
        let slowest = self.times.iter().max_by_key(|(rank, time)| (time.ns, std::cmp::Reverse(**rank)));
        slowest.map_or((0, 0), |(rank, time)| (*rank, time.ns))
    }

    /// The rank of `ranks` in which the region takes least, and its time; the first of equals.
    pub fn quickest(&self, ranks: impl Iterator<Item = u32>) -> (u32, u64) {
        let time = |rank: u32| self.times.get(&rank).map_or(0, |time| time.ns);
        ranks.map(|rank| (rank, time(rank))).min_by_key(|(rank, ns)| (*ns, *rank)).unwrap_or((0, 0))
    }

    /// The mean over `ranks` ranks; those without the region have no time in it.
    pub fn mean_ns(&self, ranks: usize) -> u64 {
        (u128::from(self.total_ns()) / ranks.max(1) as u128) as u64
    }

    /// The sum over all ranks.
    pub fn total_ns(&self) -> u64 {
        self.times.values().map(|time| time.ns).fold(0, u64::saturating_add)
    }

    /// Executions in all ranks.
    pub fn calls(&self) -> u64 {
        self.times.values().map(|time| time.calls).fold(0, u64::saturating_add)
    }

    /// Adds what was measured of a region of the same place.
    pub(super) fn unite(&mut self, other: RankRegion) {
        for (rank, more) in other.times {
            let time = self.times.entry(rank).or_default();
            time.ns = time.ns.saturating_add(more.ns);
            time.calls = time.calls.saturating_add(more.calls);
        }
        self.max_threads = self.max_threads.max(other.max_threads);
        self.shares = self.shares.plus(other.shares);
        self.nested |= other.nested;
    }
}
