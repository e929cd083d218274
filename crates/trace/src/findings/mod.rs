//! What slows the program down: for each cause the place, what it costs, and what to try. Findings come from a
//! [`Summary`], so the report of a stored summary has the same ones; the program's files tell lines and instructions.
//!
//! A rule here is a function of the summary of one region or of the whole run. The time that threads wait at one place
//! is explained by one rule only: first by locks, then by tasks, then by the shape of the region. A gain is what the
//! run would be shorter by if the loss was gone: waiting of a team's members divided by the team's size.

mod atomics;
mod call_path;
mod cause;
mod cpus;
mod devices;
mod false_sharing;
mod finding;
mod first_touch;
mod firstprivate;
mod locks;
mod loops;
mod mpi;
mod mutexes;
mod regions;
mod serial;
mod tasks;
mod waits;

pub use call_path::{call_path, path_text};
pub use cause::Cause;
use finding::Run;
pub use finding::{Confidence, Finding};
pub(crate) use mpi::outside_ns_of_waiting_calls;

use crate::analysis::{Gain, GainKind, Region, Summary};
use crate::reader::Trace;
use crate::symbols::Symbolizer;
use crate::{Progress, Site, replay};
use rustc_hash::FxHashMap;

/// Findings of a smaller gain, in percent of the run, are not worth a word.
const LEAST_PERCENT: u64 = 2;
/// The bytes of the longest trace that is replayed for its findings: some three million events.
const LONGEST_REPLAYED: u64 = 16 << 20;

/// The findings of a run, the one with the largest gain first.
pub fn findings(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer) -> Vec<Finding> {
    let mut found = candidates(trace, summary, symbols);
    let mut gains: FxHashMap<_, _> = summary.gains.iter().map(|gain| ((gain.kind, gain.site), Some(gain.ns))).collect();
    // The first one of several with the same change explains most of the loss, and stands for all.
    found.retain_mut(|finding| match finding.change.and_then(|change| gains.get_mut(&change)) {
        Some(gain) => {
            let ns = gain.take();
            finding.gain_ns = ns.unwrap_or(0);
            ns.is_some()
        }
        None => true,
    });
    keep_worthwhile(summary, &mut found);
    found
}

/// Replays the run with each change that a finding speaks of. The gains are for the summary, from which [`findings`]
/// takes them. None if the trace lacks events, or is so long that replays would take longer than the report is worth:
/// then the findings' gains stay those of the rules.
pub fn replayed_gains(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer, progress: Progress<'_>) -> Vec<Gain> {
    if trace.bytes() > LONGEST_REPLAYED || trace.lost() > 0 || !trace.selection.is_all() {
        return Vec::new();
    }
    let found = candidates(trace, summary, symbols);
    let mut changes: Vec<(GainKind, Site)> = found.iter().filter_map(|finding| finding.change).collect();
    changes.sort_unstable();
    changes.dedup();
    replay::gains(trace, summary, &changes, symbols, progress)
}

/// Drops what would gain too little, and puts the one with the largest gain first.
fn keep_worthwhile(summary: &Summary, found: &mut Vec<Finding>) {
    let least = least_ns(summary);
    found.retain(|finding| finding.gain_ns >= least);
    found.sort_by_key(|finding| (std::cmp::Reverse(finding.gain_ns), finding.site, finding.cause));
}

/// What the run gains if all executions of a region gain so much in sum. Those of a nested region may overlap, one in
/// each thread of the outer team.
fn of_the_run(summary: &Summary, region: &Region, gain_ns: u64) -> u64 {
    let gain_ns = gain_ns.min(region.total_ns);
    let outer_ns = summary.outermost.time_ns;
    if region.nested == 0 || region.total_ns <= outer_ns {
        return gain_ns;
    }
    (u128::from(gain_ns) * u128::from(outer_ns) / u128::from(region.total_ns)) as u64
}

/// The least gain that is worth a word.
fn least_ns(summary: &Summary) -> u64 {
    (summary.run_ns() / 100 * LEAST_PERCENT).max(1)
}

/// What the rules find worthwhile, with the gains that they expect.
fn candidates(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer) -> Vec<Finding> {
    let mut run = Run { trace, summary, symbols, cpus: u64::from(trace.meta.cpus).max(1) };
    let mut found = Vec::new();
    let least = least_ns(summary);
    cpus::find(&run, &mut found);
    let crowded = found.iter().any(|finding| finding.gain_ns >= least);
    for region in summary.regions.iter().filter(|region| region.max_threads > 1) {
        let mut here = Vec::new();
        locks::find(&run, region, &mut here);
        let tasks = tasks::find(&run, region, &mut here);
        if !tasks && !regions::find(region, &mut here) {
            waits::find(&run, region, &mut here);
            loops::find(&run, region, &mut here);
            atomics::find(&mut run, region, &mut here);
            false_sharing::find(&mut run, region, &mut here);
        }
        mutexes::find(&mut run, region, &mut here);
        firstprivate::find(&mut run, region, &mut here);
        for finding in &mut here {
            finding.gain_ns = of_the_run(summary, region, finding.gain_ns);
        }
        if crowded {
            // Barrier times of threads that share CPUs say little about the program's shape.
            here.retain(|finding| finding.cause.is_mutual_exclusion());
        }
        found.append(&mut here);
    }
    cpus::find_migrating(&run, &mut found);
    first_touch::find(&run, &mut found);
    serial::find(&mut run, &mut found);
    devices::find(&run, &mut found);
    mpi::find(&run, &mut found);
    keep_worthwhile(summary, &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_regions_that_overlap_gain_the_run_no_more_than_it_lasts() {
        let mut summary = Summary::default();
        summary.outermost.time_ns = 100;
        let region = |nested, total_ns| Region { nested, total_ns, ..Region::default() };
        assert_eq!(of_the_run(&summary, &region(0, 80), 30), 30);
        assert_eq!(of_the_run(&summary, &region(0, 80), 300), 80);
        // Eight at once.
        assert_eq!(of_the_run(&summary, &region(1, 800), 400), 50);
        assert_eq!(of_the_run(&summary, &region(1, 800), u64::MAX), 100);
    }
}
