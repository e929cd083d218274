//! Threads that wait for locks and for critical, ordered and atomic regions.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run};
use crate::analysis::{GainKind, Lock, Region};
use crate::units::duration;

/// `ompt_mutex_t`.
const CRITICAL: u64 = 5;
const ATOMIC: u64 = 6;
const ORDERED: u64 = 7;
/// Less waiting is no contention, in percent of the region's thread time.
const LEAST_PERCENT: u64 = 5;
/// A critical section that is shorter does no more than an addition or a comparison.
const TINY_NS: u64 = 400;

/// Finds contention in a region.
pub fn find(run: &Run<'_>, region: &Region, found: &mut Vec<Finding>) {
    for lock in run.summary.locks.iter().filter(|lock| lock.region == region.site()) {
        let (cause, sentence, advice) = explain(lock);
        // A free lock takes some time as well: where another CPU had it last, its line has to come from there. In an
        // ordered region nobody needs to be while threads wait for their turn.
        let contended = if lock.kind == ORDERED { lock.wait_ns } else { lock.contended_ns };
        let contended = contended.saturating_sub(region.cpu.waits_for_strangers(region.max_threads));
        // A reduction needs no acquisitions at all.
        let needless_ns = if cause == Cause::ReductionByCritical { lock.hold_ns } else { 0 };
        let lost = if needless_ns > 0 { lock.wait_ns.saturating_add(needless_ns) } else { contended };
        if is_outer(lock) {
            // Others wait for this lock because its holder waits for an inner one, which has its own finding.
            continue;
        }
        if contended < region.thread_ns / 100 * LEAST_PERCENT {
            continue;
        }
        let mean = |ns: u64| duration(ns / lock.count.max(1));
        found.push(Finding {
            cause,
            site: lock.codeptr.into(),
            region: region.site(),
            sentence: sentence.to_owned(),
            evidence: vec![
                format!("{} waited in {} acquisitions", duration(lock.wait_ns), lock.count),
                format!("held for {} each time, waited for {}", mean(lock.hold_ns), mean(lock.wait_ns)),
            ],
            advice,
            gain_ns: (lost / region.max_threads).min(most_gain(run, region, needless_ns)),
            confidence: Confidence::Sure,
            line: None,
            change: can_be_replayed(run, region, cause).then_some((GainKind::Contention, lock.codeptr.into())),
        });
    }
}

/// Whether the run without the waiting can be replayed. Without a critical region, its work would be gone as well; no
/// replay gives up the turns of an ordered region; and where threads share CPUs, work would not take the time it took.
fn can_be_replayed(run: &Run<'_>, region: &Region, cause: Cause) -> bool {
    !matches!(cause, Cause::ReductionByCritical | Cause::OrderedStall) && region.max_threads <= run.cpus
}

/// What a region can gain at most. Where a team has more threads than CPUs, many wait at once for what holds up one CPU
/// alone; without waiting, the CPUs still have the work to do, less what is needless.
fn most_gain(run: &Run<'_>, region: &Region, needless_ns: u64) -> u64 {
    if region.max_threads <= run.cpus {
        return u64::MAX;
    }
    region.total_ns.saturating_sub(region.work_ns.saturating_sub(needless_ns) / run.cpus)
}

/// Whether the holder of the lock waits for another lock for much of the time.
fn is_outer(lock: &Lock) -> bool {
    lock.inner_wait_ns > lock.hold_ns / 4 && lock.wait_while_holding_ns <= lock.wait_ns / 2
}

fn explain(lock: &Lock) -> (Cause, &'static str, &'static str) {
    match lock.kind {
        CRITICAL if lock.hold_ns / lock.count.max(1) < TINY_NS => (
            Cause::ReductionByCritical,
            "threads wait for a critical section that is entered all the time for very little work",
            "a reduction clause, or a private result for each thread that is joined once",
        ),
        CRITICAL => (
            Cause::CriticalContention,
            "threads wait for the critical section",
            "do less inside, enter it less often (join private results once), or give independent sections names",
        ),
        ATOMIC => (
            Cause::AtomicContention,
            "threads wait for the atomic construct, which the runtime carries out under a lock",
            "a reduction clause, or a type that the CPU updates atomically",
        ),
        ORDERED => (
            Cause::OrderedStall,
            "threads wait for their turn in the ordered region",
            "move work out of the ordered region, and use a small chunk such as schedule(static, 1)",
        ),
        _ if lock.wait_while_holding_ns > lock.wait_ns / 2 => (
            Cause::LockConvoy,
            "threads wait for the lock while they hold another lock, for which others wait in turn",
            "hold one lock at a time: release the outer lock first, or take the inner one later",
        ),
        _ => (
            Cause::LockContention,
            "threads wait for the lock",
            "a lock for each part of the data, and less work while it is held",
        ),
    }
}
