//! Regions that take longer in one rank than in the others.

use super::found::{Found, RankFinding};
use super::rank::Rank;
use super::region::RankRegion;
use crate::findings::{Cause, Confidence};
use crate::units::duration;
use std::collections::BTreeMap;

/// Finds regions whose slowest rank costs at least `least_ns`: what it takes above the mean rank. Nested regions are
/// left out, because their time is work of the regions around them.
pub fn find(ranks: &[Rank], regions: &[RankRegion], least_ns: u64, found: &mut Vec<RankFinding>) {
    for region in regions.iter().filter(|region| !region.nested) {
        let (slowest, max) = region.slowest();
        let (quickest, min) = region.quickest(ranks.iter().map(|rank| rank.rank));
        let mean = region.mean_ns(ranks.len());
        let gain_ns = max.saturating_sub(mean);
        if gain_ns < least_ns {
            continue;
        }
        let calls = region.times.get(&slowest).map_or(0, |time| time.calls);
        let others = region.calls() / ranks.len().max(1) as u64;
        let differ =
            (calls != others).then(|| format!("rank {slowest} executes it {calls} times, the mean rank {others}"));
        let worst = Found {
            cause: Cause::RankImbalance,
            place: Some(region.location.clone()),
            callers: None,
            sentence: format!("the region takes longer in rank {slowest} than in the others, which may wait for it"),
            evidence: [format!(
                "{} in rank {slowest}, {} in the mean rank, {} in rank {quickest}",
                duration(max),
                duration(mean),
                duration(min)
            )]
            .into_iter()
            .chain(differ)
            .collect(),
            advice: "ranks with equal parts of the work: the sizes of their domains, and the hosts' speeds".into(),
            confidence: Confidence::Likely,
        };
        found.push(RankFinding { worst, gains: BTreeMap::from([(slowest, gain_ns)]), gain_ns });
    }
}
