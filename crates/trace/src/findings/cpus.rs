//! Threads that share CPUs, change them, or get less of them than there are.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent, total};
use crate::analysis::Region;
use crate::units::duration;

/// A thread on another CPU finds nothing in the cache next to it: some 100 us for a megabyte at 10 GB/s.
const MIGRATION_NS: u64 = 100_000;

/// Finds teams of more threads than CPUs, and nested teams that together have more.
pub fn find(run: &Run<'_>, found: &mut Vec<Finding>) {
    find_shared(run, found);
    find_quota(run, found);
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
        change: None,
    });
}

/// Finds a quota of CPU time that has run out.
fn find_quota(run: &Run<'_>, found: &mut Vec<Finding>) {
    let throttled = run.summary.throttled.filter(|throttled| throttled.periods > 0);
    let (Some(throttled), Some(quota), Some(region)) = (throttled, run.trace.meta.cpu_quota, run.longest()) else {
        return;
    };
    let threads = region.max_threads.min(run.cpus);
    found.push(Finding {
        cause: Cause::QuotaUsedUp,
        site: region.site(),
        region: region.site(),
        sentence: "the threads use up the CPU time that their control group may have, and are held back".to_owned(),
        evidence: vec![
            format!("{threads} threads, and a quota of {quota:.2} CPUs"),
            format!("held back in {} periods, for {} in all", throttled.periods, duration(throttled.ns)),
        ],
        advice: "OMP_NUM_THREADS of no more than the quota's CPUs, or a larger quota (cpu.max, the container's CPU limit)",
        gain_ns: (throttled.ns / threads).min(run.summary.run_ns()),
        confidence: Confidence::Sure,
        line: None,
        change: None,
    });
}

/// Finds threads that run now on this CPU and now on that one, though each could have one of its own.
pub fn find_migrating(run: &Run<'_>, found: &mut Vec<Finding>) {
    let rows = || run.summary.thread_rows.iter().filter(|row| row.device.is_none());
    let changes = total(rows().map(|row| row.cpu.migrations));
    let (threads, Some(region)) = (run.threads(), run.longest()) else { return };
    if rows().count() as u64 > run.cpus {
        return;
    }
    let seconds = run.summary.wall_ns as f64 / 1e9;
    found.push(Finding {
        cause: Cause::ThreadsMigrate,
        site: region.site(),
        region: region.site(),
        sentence: "threads change their CPU all the time, and leave their caches behind".to_owned(),
        evidence: vec![format!(
            "{changes} changes of the CPU, {:.0} a second and thread",
            changes as f64 / seconds.max(1e-9) / threads as f64
        )],
        advice: "OMP_PROC_BIND=close or spread, OMP_PLACES=cores",
        gain_ns: changes.saturating_mul(MIGRATION_NS) / threads,
        confidence: Confidence::Possible,
        line: None,
        change: None,
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
    let Some(most) = run.longest() else { return };
    if !is_crowded || percent(all, work) < 2 {
        return;
    }
    // With a CPU for each thread, nothing but the threads' work is left. The CPUs that they had did all of the work, so
    // that the others can bring no more than their number says.
    let (used, usable) = (cpus.len() as u64, threads.min(run.cpus));
    let gain = |region: &Region| {
        let on_cpu = region.work_ns as f64 * (1.0 - region.cpu.percent_of_work(region.cpu.preempted_ns) / 100.0);
        let left_ns = (on_cpu as u64 / region.max_threads).max(region.total_ns / usable * used);
        region.total_ns.saturating_sub(left_ns)
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
        change: None,
    });
}
