//! Waiting in MPI as the ranks have found it, without what they wait for slow ranks: that loss is a finding already.

use super::found::{Found, RankFinding};
use super::imbalance::WaitedFor;
use crate::compare::Place;
use crate::units::duration;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The finding of one rank.
#[derive(Debug)]
pub struct Waiting {
    pub rank: u32,
    pub place: Place,
    pub gain_ns: u64,
    pub found: Found,
}

/// Adds the findings without what is `waited` for slow ranks. A rank's waiting for a slow rank counts as a part of its
/// costliest call first. What is left of a call then is a finding from `least_ns` on.
pub fn add(mut all: Vec<Waiting>, mut waited: WaitedFor, least_ns: u64, findings: &mut BTreeMap<Place, RankFinding>) {
    // The order in which ranks were read tells nothing.
    all.sort_by(|a, b| (a.rank, Reverse(a.gain_ns), &a.place).cmp(&(b.rank, Reverse(b.gain_ns), &b.place)));
    for Waiting { rank, place, gain_ns, mut found } in all {
        let known = waited.entry(rank).or_default();
        let explained = gain_ns.min(*known);
        *known -= explained;
        let gain_ns = gain_ns - explained;
        if explained > 0 {
            if gain_ns < least_ns {
                continue;
            }
            found.evidence.push(format!("{} of that for slow ranks", duration(explained)));
        }
        match findings.get_mut(&place) {
            Some(known) => known.add(rank, gain_ns, found),
            None => _ = findings.insert(place, RankFinding::first(rank, gain_ns, found)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::{Cause, Confidence};

    fn waiting(rank: u32, name: &str, gain_ns: u64) -> Waiting {
        let found = Found {
            cause: Cause::MpiWaiting,
            place: None,
            callers: None,
            sentence: format!("rank {rank}"),
            evidence: Vec::new(),
            advice: String::new(),
            confidence: Confidence::Possible,
        };
        Waiting { rank, place: Place { name: name.into(), ..Place::default() }, gain_ns, found }
    }

    #[test]
    fn waits_for_slow_ranks_are_said_once() {
        let all = || vec![waiting(2, "recv", 90), waiting(1, "recv", 300), waiting(1, "barrier", 500)];
        let waited = BTreeMap::from([(1, 600), (2, 0)]);
        let mut found = BTreeMap::new();
        add(all(), waited.clone(), 50, &mut found);
        // All of rank 1's barrier is for slow ranks, and 100 of its receives are.
        let found: Vec<&RankFinding> = found.values().collect();
        assert_eq!(found.len(), 1, "{found:#?}");
        assert_eq!(found[0].gains, BTreeMap::from([(1, 200), (2, 90)]));
        assert_eq!((found[0].worst.sentence.as_str(), found[0].worst.evidence.len()), ("rank 1", 1));
        // A small rest of a rank is no finding, but a small one of which nothing was taken is as the rank has it.
        let mut found = BTreeMap::new();
        add(all(), waited, 201, &mut found);
        assert_eq!(found.into_values().map(|one| one.gains).collect::<Vec<_>>(), [BTreeMap::from([(2, 90)])]);
    }
}
