//! Findings of several ranks as one.

use crate::analysis::Summary;
use crate::findings::{Cause, Confidence, Finding, call_path, path_text};
use crate::symbols::{Location, Symbolizer};
use std::collections::BTreeMap;

/// A finding without the addresses of one process.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Why.
    pub cause: Cause,
    /// What is to be changed; none if that is no place in the program.
    pub place: Option<Location>,
    /// The calls by which the program came to the region, as a text; none if they are not known.
    pub callers: Option<String>,
    /// What is wrong, in one sentence without the place.
    pub sentence: String,
    /// Numbers that show it.
    pub evidence: Vec<String>,
    /// What to try.
    pub advice: String,
    /// How sure the rule is.
    pub confidence: Confidence,
}

/// The findings of several ranks that have one cause at one place.
#[derive(Clone, Debug, PartialEq)]
pub struct RankFinding {
    /// The finding of the rank that it costs most; the first of such ranks.
    pub worst: Found,
    /// What each of the ranks would gain, in nanoseconds, by the rank. Ranks without the finding are left out.
    pub gains: BTreeMap<u32, u64>,
    /// What the mean rank of the whole run would gain, in nanoseconds. Ranks without the finding gain nothing.
    pub gain_ns: u64,
}

impl Found {
    /// A finding of one process.
    pub fn of(finding: &Finding, summary: &Summary, symbols: &mut Symbolizer) -> Found {
        Found {
            cause: finding.cause,
            place: Some((*finding.location(symbols)).clone()),
            callers: path_text(&call_path(finding, summary, symbols)),
            sentence: finding.sentence.clone(),
            evidence: finding.evidence.iter().filter(|text| !text.is_empty()).cloned().collect(),
            advice: finding.advice.to_owned(),
            confidence: finding.confidence,
        }
    }
}

impl RankFinding {
    /// The rank that it costs most, with its gain; the first of equals.
    pub fn worst_rank(&self) -> (u32, u64) {
        let worst = self.gains.iter().max_by_key(|(rank, gain)| (**gain, std::cmp::Reverse(**rank)));
        worst.map_or((0, 0), |(rank, gain)| (*rank, *gain))
    }

    /// The ranks that have it, in ascending order.
    pub fn ranks(&self) -> Vec<u32> {
        self.gains.keys().copied().collect()
    }

    /// The finding of one rank. The mean gain is known when all ranks are.
    pub(super) fn first(rank: u32, gain_ns: u64, worst: Found) -> RankFinding {
        RankFinding { worst, gains: BTreeMap::from([(rank, gain_ns)]), gain_ns: 0 }
    }

    /// The finding as rank `rank` has it joins those of other ranks. A rank of several processes may have it twice.
    pub(super) fn add(&mut self, rank: u32, gain_ns: u64, found: Found) {
        let before = self.worst_rank();
        let gain = self.gains.entry(rank).or_default();
        *gain = gain.saturating_add(gain_ns);
        if self.worst_rank().0 == rank && (before.0 != rank || gain_ns > before.1) {
            self.worst = found;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(sentence: &str) -> Found {
        Found {
            cause: Cause::Imbalance,
            place: None,
            callers: None,
            sentence: sentence.into(),
            evidence: Vec::new(),
            advice: String::new(),
            confidence: Confidence::Likely,
        }
    }

    #[test]
    fn the_worst_rank_speaks_whatever_the_order() {
        let all = [(3, 30, "three"), (1, 50, "one"), (2, 50, "two"), (0, 10, "zero")];
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 1, 3]] {
            let mut merged: Option<RankFinding> = None;
            for (rank, gain, words) in order.map(|index| all[index]) {
                match &mut merged {
                    Some(merged) => merged.add(rank, gain, found(words)),
                    None => merged = Some(RankFinding::first(rank, gain, found(words))),
                }
            }
            let merged = merged.unwrap();
            assert_eq!((merged.worst_rank(), merged.worst.sentence.as_str()), ((1, 50), "one"), "{order:?}");
            assert_eq!(merged.ranks(), [0, 1, 2, 3]);
        }
    }
}
