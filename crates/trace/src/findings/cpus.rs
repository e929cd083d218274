//! Threads that share CPUs.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent, total};
use crate::analysis::Region;
use crate::units::duration;

/// Finds teams of more threads than CPUs, and nested teams that together have more.
pub fn find(run: &Run<'_>, found: &mut Vec<Finding>) {
    find_shared(run, found);
    let nested = run.summary.regions.iter().filter(|region| region.nested > 0 && region.max_threads > 1);
    let nested = nested.max_by_key(|region| region.thread_ns);
    let outer = run.summary.regions.iter().filter(|region| region.nested == 0);
    let outer = outer.max_by_key(|region| region.total_ns);
    let threads = run.summary.thread_rows.iter().filter(|row| row.device.is_none()).count() as u64;
    if threads <= run.cpus {
        return;
    }
    let Some(outer) = outer else { return };
    let (cause, region, sentence) = match nested {
        Some(inner) if outer.max_threads <= run.cpus => {
            (Cause::NestedOversubscription, inner, "nested parallel regions make more threads than there are CPUs")
        }
        _ if outer.max_threads > run.cpus => {
            (Cause::MoreThreadsThanCpus, outer, "the team has more threads than there are CPUs")
        }
        _ => return,
    };
    // Waiting for locks, tasks and devices stays.
    let useful = |region: &Region| (region.work_ns / run.cpus).saturating_add(region.sync_ns / region.max_threads);
    let gain_ns = if region.nested > 0 {
        // Inner regions run side by side in the outer one.
        (region.total_ns / outer.max_threads).saturating_sub(useful(region))
    } else {
        region.total_ns.saturating_sub(useful(region))
    };
    found.push(Finding {
        cause,
        site: region.site(),
        region: region.site(),
        sentence: sentence.to_owned(),
        evidence: vec![
            format!("{threads} threads on {} CPUs", run.cpus),
            format!("{} % of the threads' time is work", percent(region.work_ns, region.thread_ns)),
            format!("{} in barriers", duration(region.barrier_ns)),
        ],
        advice: "no more threads than CPUs: OMP_NUM_THREADS, num_threads, or OMP_MAX_ACTIVE_LEVELS=1",
        gain_ns,
        confidence: Confidence::Likely,
        line: None,
    });
}

/// Finds threads that take a CPU away from each other while another one is free.
fn find_shared(run: &Run<'_>, found: &mut Vec<Finding>) {
    let threads = run.threads();
    let all = total(run.summary.regions.iter().map(|region| region.cpu.needless_ns));
    let work = total(run.summary.regions.iter().map(|region| region.cpu.work_ns));
    let mut cpus: Vec<u64> = run.summary.thread_rows.iter().flat_map(|row| row.cpus.iter().copied()).collect();
    cpus.sort_unstable();
    cpus.dedup();
    let is_crowded = (cpus.len() as u64) < threads.min(run.cpus);
    let parallel = || run.summary.regions.iter().filter(|region| region.max_threads > 1 && region.nested == 0);
    let Some(most) = parallel().max_by_key(|region| region.total_ns) else { return };
    if !is_crowded || percent(all, work) < 2 {
        return;
    }
    // With a CPU for each thread, nothing but the threads' work is left.
    let gain = |region: &Region| {
        let on_cpu = region.work_ns as f64 * (1.0 - region.cpu.percent_of_work(region.cpu.preempted_ns) / 100.0);
        region.total_ns.saturating_sub(on_cpu as u64 / region.max_threads)
    };
    found.push(Finding {
        cause: Cause::SameCpu,
        site: most.site(),
        region: most.site(),
        sentence: "threads of the team share a CPU while another CPU is free".to_owned(),
        evidence: vec![
            format!("{} in which a thread waited for its CPU", duration(all)),
            format!("{threads} threads ran on {} of {} CPUs", cpus.len(), run.cpus),
        ],
        advice: "OMP_PROC_BIND=spread, OMP_PLACES=cores; see what binds the process (taskset, numactl, a batch system)",
        gain_ns: total(parallel().map(gain)),
        confidence: Confidence::Likely,
        line: None,
    });
}
