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
mod regions;
mod serial;
mod tasks;
mod waits;

pub use call_path::{call_path, path_text};
pub use cause::Cause;
use finding::Run;
pub use finding::{Confidence, Finding};

use crate::analysis::Summary;
use crate::reader::Trace;
use crate::symbols::Symbolizer;

/// Findings of a smaller gain, in percent of the run, are not worth a word.
const LEAST_PERCENT: u64 = 2;

/// The findings of a run, the one with the largest gain first.
pub fn findings(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer) -> Vec<Finding> {
    let mut run = Run { trace, summary, symbols, cpus: u64::from(trace.meta.cpus).max(1) };
    let mut found = Vec::new();
    let least = (summary.run_ns() / 100 * LEAST_PERCENT).max(1);
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
        firstprivate::find(&mut run, region, &mut here);
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
    found.retain(|finding| finding.gain_ns >= least);
    found.sort_by_key(|finding| (std::cmp::Reverse(finding.gain_ns), finding.site, finding.cause));
    found
}
