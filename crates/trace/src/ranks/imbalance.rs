//! Regions that take longer in one rank than in the others, and what the others wait for it in MPI.

use super::found::{Found, RankFinding};
use super::rank::Rank;
use super::region::RankRegion;
use crate::findings::{Cause, Confidence};
use crate::units::duration;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How much of their waiting in MPI ranks have spent on slow ranks, in nanoseconds by the rank.
pub type WaitedFor = BTreeMap<u32, u64>;

/// What the ranks other than the slowest one do while a region takes longer there, in sum.
#[derive(Default)]
struct Others {
    /// By how much the region is shorter in them.
    ahead_ns: u64,
    /// The part of that time for which they may wait in MPI.
    waits_ns: u64,
}

/// Finds regions whose slowest rank costs at least `least_ns`: what it takes above the mean rank. Nested regions are
/// left out, because their time is work of the regions around them.
pub fn find(ranks: &[Rank], regions: &[RankRegion], least_ns: u64, found: &mut Vec<RankFinding>) -> WaitedFor {
    // The time in MPI for which no slow rank is known yet: one wait is not for two regions.
    let mut left: BTreeMap<u32, u64> = ranks.iter().map(|rank| (rank.rank, rank.mpi_wait_ns)).collect();
    let outer = regions.iter().filter(|region| !region.nested);
    let mut uneven: Vec<(u64, &RankRegion)> = outer.map(|region| (gain_ns(region, ranks.len()), region)).collect();
    uneven.retain(|(gain_ns, _)| *gain_ns >= least_ns);
    uneven.sort_by_key(|(gain_ns, _)| Reverse(*gain_ns));
    for (gain_ns, region) in uneven {
        let others = others(region, &mut left);
        found.push(finding(ranks, region, gain_ns, &others));
    }
    let waited = |rank: &Rank| (rank.rank, rank.mpi_wait_ns - left[&rank.rank]);
    ranks.iter().map(waited).collect()
}

fn gain_ns(region: &RankRegion, ranks: usize) -> u64 {
    region.slowest().1.saturating_sub(region.mean_ns(ranks))
}

/// Takes what the other ranks may wait in MPI for the slowest one from what is left of their waiting.
fn others(region: &RankRegion, left: &mut BTreeMap<u32, u64>) -> Others {
    let (slowest, max) = region.slowest();
    let mut sum = Others::default();
    for (rank, left) in left.iter_mut().filter(|(rank, _)| **rank != slowest) {
        let ahead_ns = max - region.times.get(rank).map_or(0, |time| time.ns);
        let waits_ns = ahead_ns.min(*left);
        *left -= waits_ns;
        sum.ahead_ns = sum.ahead_ns.saturating_add(ahead_ns);
        sum.waits_ns = sum.waits_ns.saturating_add(waits_ns);
    }
    sum
}

fn finding(ranks: &[Rank], region: &RankRegion, gain_ns: u64, others: &Others) -> RankFinding {
    let (slowest, max) = region.slowest();
    let (quickest, min) = region.quickest(ranks.iter().map(|rank| rank.rank));
    let mut evidence = vec![format!(
        "{} in rank {slowest}, {} in the mean rank, {} in rank {quickest}",
        duration(max),
        duration(region.mean_ns(ranks.len())),
        duration(min)
    )];
    if others.waits_ns > 0 {
        let each = |ns: u64| duration(ns / (ranks.len() as u64 - 1).max(1));
        let own = ranks.iter().find(|rank| rank.rank == slowest).map_or(0, |rank| rank.mpi_wait_ns);
        evidence.push(format!(
            "the others are {} ahead in the mean and spend {} meanwhile in MPI; rank {slowest} waits {} there in all",
            each(others.ahead_ns),
            each(others.waits_ns),
            duration(own)
        ));
    }
    let calls = region.times.get(&slowest).map_or(0, |time| time.calls);
    let mean = region.calls() / ranks.len().max(1) as u64;
    if calls != mean {
        evidence.push(format!("rank {slowest} executes it {calls} times, the mean rank {mean}"));
    }
    let wait = if others.waits_ns > others.ahead_ns / 2 { "wait for it in MPI" } else { "may wait for it" };
    let worst = Found {
        cause: Cause::RankImbalance,
        place: Some(region.location.clone()),
        callers: None,
        sentence: format!("the region takes longer in rank {slowest} than in the others, which {wait}"),
        evidence,
        advice: "ranks with equal parts of the work: the sizes of their domains, and the hosts' speeds".into(),
        confidence: Confidence::Likely,
    };
    RankFinding { worst, gains: BTreeMap::from([(slowest, gain_ns)]), gain_ns }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Place;
    use crate::ranks::RegionTime;

    fn region(name: &str, times: &[u64]) -> RankRegion {
        let times = times.iter().enumerate().map(|(rank, ns)| (rank as u32, RegionTime { ns: *ns, calls: 1 }));
        let place = Place { name: name.into(), ..Place::default() };
        RankRegion { place, times: times.collect(), ..RankRegion::default() }
    }

    fn ranks(waits: &[u64]) -> Vec<Rank> {
        let rank = |(rank, ns): (usize, &u64)| Rank { rank: rank as u32, mpi_wait_ns: *ns, ..Rank::default() };
        waits.iter().enumerate().map(rank).collect()
    }

    #[test]
    fn a_slow_rank_makes_the_others_wait_in_mpi() {
        let mut found = Vec::new();
        let waited = find(&ranks(&[5, 700, 250]), &[region("a", &[900, 300, 300])], 1, &mut found);
        assert_eq!(waited, BTreeMap::from([(0, 0), (1, 600), (2, 250)]));
        assert!(found[0].worst.sentence.ends_with("which wait for it in MPI"), "{found:#?}");
        assert_eq!(
            found[0].worst.evidence[1],
            "the others are 600 ns ahead in the mean and spend 425 ns meanwhile in MPI; rank 0 waits 5 ns there in all"
        );
        // Those who do not wait may have other work.
        found.clear();
        find(&ranks(&[0, 0, 0]), &[region("a", &[900, 300, 300])], 1, &mut found);
        assert!(found[0].worst.sentence.ends_with("which may wait for it"), "{found:#?}");
        assert_eq!(found[0].worst.evidence.len(), 1);
    }

    #[test]
    fn one_wait_is_not_for_two_regions() {
        let mut found = Vec::new();
        let regions = [region("a", &[900, 500]), region("b", &[700, 200])];
        let waited = find(&ranks(&[0, 600]), &regions, 1, &mut found);
        // The second region costs more: 500 of the waiting are for it, and the rest is for the first one.
        assert_eq!(waited[&1], 600);
        assert_eq!(found.iter().map(|one| one.gain_ns).collect::<Vec<u64>>(), [250, 200]);
        assert!(found[0].worst.evidence[1].contains("500 ns ahead in the mean and spend 500 ns meanwhile"));
        assert!(found[1].worst.evidence[1].contains("400 ns ahead in the mean and spend 100 ns meanwhile"));
    }
}
