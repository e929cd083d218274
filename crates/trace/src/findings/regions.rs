//! Regions that are too short.

use super::cause::Cause;
use super::finding::{Confidence, Finding, percent};
use crate::analysis::Region;
use crate::units::duration;

/// What a thread loses in one execution of a region, at most, if the loss is that of begin and end. Losses that are
/// longer have other causes.
const MOST_OVERHEAD_NS: u64 = 6_000;
/// The executions from which on a region is executed again and again.
const MANY: u64 = 50;

/// Finds regions that take no longer than their begin and end. True if the region is one.
pub fn find(region: &Region, found: &mut Vec<Finding>) -> bool {
    let lost = region.thread_ns.saturating_sub(region.work_ns);
    let each = lost / region.max_threads.saturating_mul(region.calls).max(1);
    let from_imbalance =
        region.max_work_ns.saturating_sub(region.mean_work_ns as u64).saturating_mul(region.max_threads);
    let is_short = region.calls >= MANY && each < MOST_OVERHEAD_NS && percent(lost, region.thread_ns) >= 20;
    if !is_short || from_imbalance > lost / 2 {
        return false;
    }
    found.push(Finding {
        cause: Cause::RegionTooShort,
        site: region.site(),
        region: region.site(),
        sentence: "the parallel region is so short that its begin and end cost as much as its work".to_owned(),
        evidence: vec![
            format!("{} executions of {} each", region.calls, duration(region.total_ns / region.calls)),
            format!("{} % of the threads' time is work", percent(region.work_ns, region.thread_ns)),
        ],
        advice: "one parallel region around the loop that executes it, the outer loop in parallel instead, or an if \
                 clause",
        gain_ns: lost / region.max_threads,
        confidence: Confidence::Sure,
        line: None,
        change: None,
    });
    true
}
