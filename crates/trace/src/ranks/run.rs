//! A run of several ranks: the sums of its parts.

use super::balance::RankEfficiency;
use super::found::RankFinding;
use super::part::Part;
use super::rank::Rank;
use super::region::RankRegion;
use super::waiting::{self, Waiting};
use super::{cpus, imbalance};
use crate::compare::Place;
use crate::findings::Cause;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Findings of a smaller gain, in percent of the run, are not worth a word.
const LEAST_PERCENT: u64 = 2;
/// Ranks that are missing are listed up to this number: a damaged description may claim any number of ranks.
const MOST_MISSING: usize = 1 << 20;

/// Parts are added here, in any order.
#[derive(Debug, Default)]
pub struct Adding {
    ranks: BTreeMap<u32, Rank>,
    of: Option<u32>,
    environment: BTreeSet<String>,
    regions: BTreeMap<Place, RankRegion>,
    findings: BTreeMap<Place, RankFinding>,
    /// Findings about waiting in MPI: what is known of slow ranks decides on these.
    waiting: Vec<Waiting>,
    remarks: BTreeMap<String, BTreeSet<u32>>,
}

/// A run of several ranks.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranks {
    /// The ranks that have a trace, in ascending order.
    pub ranks: Vec<Rank>,
    /// The number of ranks: as the launcher has said, or else by the largest rank.
    pub count: u32,
    /// Ranks that have no readable trace, in ascending order.
    pub missing: Vec<u32>,
    /// The variables that decide on threads and schedules, of all ranks.
    pub environment: Vec<String>,
    /// How well all threads are used; none without time.
    pub efficiency: Option<RankEfficiency>,
    /// Parallel regions, the one with the longest time in its slowest rank first.
    pub regions: Vec<RankRegion>,
    /// Findings, the one with the largest gain of the mean rank first.
    pub findings: Vec<RankFinding>,
    /// What readers have to know about traces, with the ranks that it is about.
    pub remarks: Vec<(String, Vec<u32>)>,
}

impl Adding {
    /// Adds the trace of a rank.
    pub fn add(&mut self, part: Part) {
        let rank = part.rank.rank;
        match self.ranks.get_mut(&rank) {
            Some(known) => known.unite(part.rank),
            None => _ = self.ranks.insert(rank, part.rank),
        }
        self.of = self.of.max(part.of);
        self.environment.extend(part.environment);
        for region in part.regions {
            match self.regions.get_mut(&region.place) {
                Some(known) => known.unite(region),
                None => _ = self.regions.insert(region.place.clone(), region),
            }
        }
        for (place, gain_ns, found) in part.findings {
            if found.cause == Cause::MpiWaiting {
                self.waiting.push(Waiting { rank, place, gain_ns, found });
                continue;
            }
            match self.findings.get_mut(&place) {
                Some(known) => known.add(rank, gain_ns, found),
                None => _ = self.findings.insert(place, RankFinding::first(rank, gain_ns, found)),
            }
        }
        for remark in part.remarks {
            self.remarks.entry(remark).or_default().insert(rank);
        }
    }

    /// The run of all that was added.
    pub fn finish(mut self) -> Ranks {
        let ranks: Vec<Rank> = self.ranks.into_values().collect();
        let last = ranks.last().map_or(0, |rank| rank.rank.saturating_add(1));
        let count = self.of.unwrap_or(0).max(last);
        let present: BTreeSet<u32> = ranks.iter().map(|rank| rank.rank).collect();
        let missing = (0..count).filter(|rank| !present.contains(rank)).take(MOST_MISSING).collect();
        let mut regions: Vec<RankRegion> = self.regions.into_values().collect();
        regions.sort_by_key(|region| Reverse(region.slowest().1));
        let longest = ranks.iter().map(Rank::time_ns).max().unwrap_or(0);
        let least_ns = (longest / 100 * LEAST_PERCENT).max(1);
        let mut uneven = Vec::new();
        let waited = imbalance::find(&ranks, &regions, least_ns, &mut uneven);
        waiting::add(self.waiting, waited, least_ns, &mut self.findings);
        let mut findings: Vec<RankFinding> = self.findings.into_values().collect();
        cpus::find(&ranks, &mut findings);
        drop_explained(&mut findings);
        for finding in &mut findings {
            let sum: u128 = finding.gains.values().map(|gain| u128::from(*gain)).sum();
            finding.gain_ns = (sum / ranks.len().max(1) as u128) as u64;
        }
        findings.append(&mut uneven);
        // Which of equals comes first does not depend on the order of the parts.
        findings.sort_by_key(|finding| Reverse((finding.gain_ns, finding.worst_rank().1)));
        Ranks {
            count,
            missing,
            environment: self.environment.into_iter().collect(),
            efficiency: RankEfficiency::of_run(&ranks),
            regions,
            findings,
            remarks: self.remarks.into_iter().map(|(text, ranks)| (text, ranks.into_iter().collect())).collect(),
            ranks,
        }
    }
}

/// Drops what single ranks say about their CPUs if all of these ranks are in crowded groups: a rank does not know that
/// the CPU that seems free to it is another rank's.
fn drop_explained(findings: &mut Vec<RankFinding>) {
    let crowded = findings.iter().filter(|finding| finding.worst.cause == Cause::RanksShareCpus);
    let crowded: BTreeSet<u32> = crowded.flat_map(|finding| finding.gains.keys().copied()).collect();
    let about_cpus = [Cause::SameCpu, Cause::MoreThreadsThanCpus, Cause::ThreadsMigrate];
    findings.retain(|finding| {
        !about_cpus.contains(&finding.worst.cause) || finding.gains.keys().any(|rank| !crowded.contains(rank))
    });
}

impl Ranks {
    /// The time of the slowest rank, from its start to its end.
    pub fn time_ns(&self) -> u64 {
        self.ranks.iter().map(Rank::time_ns).max().unwrap_or(0)
    }

    /// The rank with the longest time; the first of equals.
    pub fn slowest(&self) -> Option<&Rank> {
        self.ranks.iter().max_by_key(|rank| (rank.time_ns(), Reverse(rank.rank)))
    }

    /// The largest teams of all ranks, together.
    pub fn threads(&self) -> u64 {
        self.ranks.iter().map(|rank| rank.threads).fold(0, u64::saturating_add)
    }

    /// The hosts, in ascending order.
    pub fn hosts(&self) -> BTreeSet<&str> {
        self.ranks.iter().map(|rank| rank.host.as_str()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Shares;
    use crate::findings::Confidence;
    use crate::ranks::found::Found;
    use crate::ranks::region::RegionTime;

    /// A part of rank `number` that has one region of this length.
    pub fn part(number: u32, ns: u64, of: Option<u32>) -> Part {
        let place = Place { kind: "region".into(), name: "solve (heat.c:34)".into(), ..Place::default() };
        let time = RegionTime { ns, calls: 10 };
        let shares = Shares { all: 2.0 * ns as f64, thread: 2.0 * ns as f64, work: ns as f64, ..Shares::default() };
        let times = BTreeMap::from([(number, time)]);
        let region = RankRegion { place, times, max_threads: 2, shares, ..RankRegion::default() };
        let rank = Rank { rank: number, processes: 1, end_ns: 1000, threads: 2, shares, ..Rank::default() };
        Part { rank, of, regions: vec![region], ..Part::default() }
    }

    fn run(parts: impl IntoIterator<Item = Part>) -> Ranks {
        let mut adding = Adding::default();
        parts.into_iter().for_each(|part| adding.add(part));
        adding.finish()
    }

    #[test]
    fn regions_are_matched_by_place_and_missing_ranks_are_known() {
        let all = [part(3, 800, Some(5)), part(0, 400, Some(5)), part(1, 600, None)];
        let found = run(all.clone());
        assert_eq!((found.count, found.missing.as_slice()), (5, &[2, 4][..]));
        let region = &found.regions[0];
        assert_eq!((found.regions.len(), region.slowest(), region.mean_ns(3), region.calls()), (1, (3, 800), 600, 30));
        assert_eq!(region.quickest(found.ranks.iter().map(|rank| rank.rank)), (0, 400));
        assert_eq!(found.findings[0].worst.cause.name(), "rank-imbalance");
        assert_eq!(found.findings[0].gain_ns, 200);
        let mut other = all;
        other.reverse();
        assert_eq!(run(other), found);
    }

    #[test]
    fn a_rank_without_the_region_has_no_time_in_it() {
        let idle = Part { regions: Vec::new(), ..part(1, 0, None) };
        let found = run([part(0, 600, None), idle]);
        let region = &found.regions[0];
        assert_eq!((region.mean_ns(2), region.quickest([0, 1].into_iter())), (300, (1, 0)));
        let efficiency = RankEfficiency::of_region(region, 2).unwrap();
        assert!((efficiency.rank_balance - 0.5).abs() < 1e-9 && (efficiency.parallel - 0.25).abs() < 1e-9);
    }

    #[test]
    fn a_rank_that_shares_cpus_with_others_has_no_free_one() {
        let same = |number: u32, host: &str| {
            let mut part = part(number, 400, None);
            let (cpus, host) = (vec![0, 1], host.to_owned());
            part.rank = Rank { cpus, host, cpus_online: 2, work_ns: 800, preempted_ns: 200, ..part.rank };
            let found = Found {
                cause: Cause::SameCpu,
                place: None,
                callers: None,
                sentence: "threads of the team share a CPU while another CPU is free".into(),
                evidence: Vec::new(),
                advice: String::new(),
                confidence: Confidence::Likely,
            };
            part.findings.push((Place { kind: "same-cpu".into(), ..Place::default() }, 100, found));
            part
        };
        let causes = |run: Ranks| run.findings.iter().map(|finding| finding.worst.cause).collect::<Vec<_>>();
        assert_eq!(causes(run([same(0, "a"), same(1, "a")])), [Cause::RanksShareCpus]);
        // One rank a host: there is nobody else.
        assert_eq!(causes(run([same(0, "a"), same(1, "b")])), [Cause::SameCpu]);
    }

    #[test]
    fn programs_of_one_rank_are_summed_up() {
        let mut second = part(0, 100, None);
        (second.rank.begin_ns, second.rank.end_ns, second.rank.pid) = (1000, 1500, 7);
        let found = run([second, part(0, 300, None), part(1, 400, None)]);
        assert_eq!((found.ranks.len(), found.ranks[0].processes, found.ranks[0].time_ns()), (2, 2, 1500));
        assert_eq!(found.regions[0].times[&0], RegionTime { ns: 400, calls: 20 });
    }
}
