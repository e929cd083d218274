//! Threads that update the same memory atomically, as samples of their code show.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent};
use crate::analysis::{Doing, Region, Sampled};

/// Fewer samples say too little.
const LEAST_SAMPLES: u64 = 10;
/// From this part of a region's samples on, atomic updates are what the region does, in percent.
const LEAST_PERCENT: u64 = 25;

/// Finds atomic updates that take much of a region's time.
pub fn find(run: &mut Run<'_>, region: &Region, found: &mut Vec<Finding>) {
    let is_here = |sampled: &&Sampled| {
        sampled.region == region.site() && sampled.doing.is_program() && sampled.doing != Doing::Serial
    };
    let mut most: Option<(u64, u64)> = None;
    let (mut all, mut atomic) = (0, 0);
    for sampled in run.summary.samples.activities.iter().filter(is_here) {
        all = u64::saturating_add(all, sampled.count);
        for leaf in sampled.calls.leaves() {
            let (address, count) = (sampled.calls.address(leaf), sampled.calls.count(leaf));
            if !run.trace.is_runtime(address) && run.symbols.is_atomic(address) {
                atomic = u64::saturating_add(atomic, count);
                most = most.max(Some((count, address)));
            }
        }
    }
    let Some((_, address)) = most else { return };
    if all < LEAST_SAMPLES || percent(atomic, all) < LEAST_PERCENT {
        return;
    }
    found.push(Finding {
        cause: Cause::AtomicContention,
        site: address.into(),
        region: region.site(),
        sentence: "the threads update memory atomically, and wait for each other's caches".to_owned(),
        evidence: vec![format!("{} % of the region's {all} samples are in atomic instructions", percent(atomic, all))],
        advice: "a reduction clause, or a private copy for each thread that is joined once",
        gain_ns: (region.work_ns / region.max_threads / all).saturating_mul(atomic),
        confidence: Confidence::Likely,
        line: None,
        change: None,
    });
}
