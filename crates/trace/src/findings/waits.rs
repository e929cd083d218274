//! Threads that wait at barriers for the others of their team.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent, times, total};
use crate::Site;
use crate::analysis::{Activity, ActivityKind, GainKind, Region, Wait, sync_name};
use crate::units::duration;
use rustc_hash::FxHashMap;

/// `ompt_work_t`.
const SECTIONS: u64 = 2;
const SINGLE: u64 = 3;
const DYNAMIC: u64 = 11;
const GUIDED: u64 = 12;
/// `ompt_sync_region_t` of the barrier at the end of a parallel region.
const AT_REGION_END: u64 = 9;
/// With fewer iterations for each thread, parts of a loop differ by much of a part.
const ITERATIONS_OF_A_THREAD: u64 = 4;

/// Explains the waiting at the barriers of a region by what the threads did that others waited for.
pub fn find(run: &Run<'_>, region: &Region, found: &mut Vec<Finding>) {
    if find_needless(run, region, found) {
        return;
    }
    // The waiting that one construct causes at several barriers is one finding.
    let mut causes: FxHashMap<(Cause, Activity), Sum> = FxHashMap::default();
    for wait in run.waits(region.site()) {
        for &(activity, ns) in &wait.causes {
            if let Some(cause) = cause_of(run.cpus, region, wait, activity) {
                let sum = causes.entry((cause, activity)).or_default();
                sum.site = match cause {
                    // The line of the barrier is nearer to the code than the region's.
                    Cause::WorkInSingle | Cause::IoInRegion if activity.kind == ActivityKind::Body => wait.site,
                    Cause::CopyinLarge => region.site(),
                    _ if wait.kind == AT_REGION_END && is_combined(run, region, activity) => region.site(),
                    _ => activity.site,
                };
                sum.ns = sum.ns.saturating_add(ns);
                sum.episodes = sum.episodes.saturating_add(wait.episodes);
                if ns > sum.longest {
                    (sum.longest, sum.kind) = (ns, wait.kind);
                }
            }
        }
    }
    // The thread that the others wait for loses its time off the CPU as well, most of it where they waited longest.
    let io = causes.iter().filter(|((cause, _), _)| *cause == Cause::IoInRegion);
    let io = io.max_by_key(|(_, sum)| (sum.ns, sum.site)).map(|(key, _)| *key);
    for ((cause, activity), sum) in causes {
        let by_strangers = region.cpu.waits_for_strangers(region.max_threads);
        let blocked = if io == Some((cause, activity)) { region.cpu.blocked_ns } else { 0 };
        let gain_ns = sum.ns.saturating_sub(by_strangers).saturating_add(blocked) / region.max_threads;
        let (sentence, advice, confidence) = explain_loop(run, cause, activity).unwrap_or(explain(cause));
        let imbalance = region.max_work_ns as f64 / region.mean_work_ns.max(1.0);
        found.push(Finding {
            cause,
            site: sum.site,
            region: region.site(),
            sentence: sentence.to_owned(),
            evidence: vec![
                format!("{} waited at the {}, {}", duration(sum.ns), sync_name(sum.kind), times(sum.episodes)),
                format!("the busiest thread works {imbalance:.2} times as long as the mean"),
            ],
            advice,
            gain_ns,
            confidence,
            line: None,
            // A thread that is off the CPU would be so in any part of the work.
            change: is_of_balance(cause).then_some((GainKind::Balance, activity.site)),
        });
    }
}

#[derive(Default)]
struct Sum {
    site: Site,
    ns: u64,
    episodes: u64,
    longest: u64,
    kind: u64,
}

/// Whether a construct with a barrier at the region's end alone is combined with the region: it is the only
/// worksharing construct there. Its place is then that of the region.
fn is_combined(run: &Run<'_>, region: &Region, activity: Activity) -> bool {
    let is_work = |kind| matches!(kind, ActivityKind::Work(_));
    let mut causes = run.waits(region.site()).flat_map(|wait| &wait.causes).map(|(activity, _)| activity);
    is_work(activity.kind) && causes.all(|other| *other == activity || !is_work(other.kind))
}

/// Whether nearly all of the waiting is for one thread that works alone from one synchronisation to the next.
fn is_alone(wait: &Wait) -> bool {
    let possible = wait.phase_ns.saturating_mul(wait.members.saturating_sub(1));
    percent(wait.alone_ns, wait.wait_ns) >= 90 && percent(wait.wait_ns, possible) >= 95
}

/// Whether most of the waiting is for the thread that executes a single or masked construct, or for sections.
fn is_for_one(wait: &Wait) -> bool {
    let is = |kind| matches!(kind, ActivityKind::Work(SINGLE | SECTIONS) | ActivityKind::Masked);
    let for_one = total(wait.causes.iter().filter(|(activity, _)| is(activity.kind)).map(|(_, ns)| *ns));
    for_one > wait.wait_ns / 2
}

/// Whether the primary thread waits for the others as soon as the region begins: they copy threadprivate variables.
fn is_copyin(wait: &Wait) -> bool {
    is_opening(wait) && percent(wait.first_waits_ns, wait.phase_ns) >= 85
}

/// Whether the team meets here first, and before the region's end.
pub(super) fn is_opening(wait: &Wait) -> bool {
    wait.kind != AT_REGION_END && percent(wait.opening_ns, wait.wait_ns) >= 95
}

/// The cause of waiting for a thread that does this; `None` if another rule explains it.
fn cause_of(cpus: u64, region: &Region, wait: &Wait, activity: Activity) -> Option<Cause> {
    // Where threads take the CPU from each other, part of the time without a CPU passes for sleep.
    let taken = if region.max_threads > cpus { region.cpu.preempted_ns } else { 0 };
    if region.cpu.blocked_ns > taken.max(wait.wait_ns / 3) && activity.kind.is_code() {
        return Some(Cause::IoInRegion);
    }
    match activity.kind {
        ActivityKind::Body if is_copyin(wait) => Some(Cause::CopyinLarge),
        ActivityKind::Work(SECTIONS) => Some(Cause::UnequalSections),
        ActivityKind::Work(SINGLE) | ActivityKind::Masked => Some(Cause::WorkInSingle),
        ActivityKind::Work(DYNAMIC) => Some(Cause::ChunkTooLarge),
        ActivityKind::Work(GUIDED) => Some(Cause::ImbalanceGuided),
        ActivityKind::Body if is_alone(wait) => Some(Cause::WorkInSingle),
        ActivityKind::Body | ActivityKind::Work(_) => Some(Cause::Imbalance),
        _ => None,
    }
}

/// Whether the cause is gone if the members have equal parts of the work.
fn is_of_balance(cause: Cause) -> bool {
    !matches!(cause, Cause::IoInRegion | Cause::CopyinLarge)
}

/// What is to be said of a loop that another schedule does not mend.
fn explain_loop(run: &Run<'_>, cause: Cause, activity: Activity) -> Option<(&'static str, &'static str, Confidence)> {
    let mut loops = run.summary.loops.iter();
    let one = loops.find(|one| one.site == activity.site && activity.kind == ActivityKind::Work(one.kind))?;
    let iterations = one.iterations / one.executions.max(1);
    if one.iterations > 0 && iterations < ITERATIONS_OF_A_THREAD.saturating_mul(one.max_threads) {
        return Some((
            "the loop has so few iterations that they cannot be shared out evenly",
            "collapse(2) if the loop inside can be parallel as well, or share out that loop; split the longest iterations",
            Confidence::Likely,
        ));
    }
    (cause == Cause::ChunkTooLarge && one.largest_chunk == 1).then_some((
        "some iterations of the dynamic loop are so long that threads wait for the last ones",
        "begin with the longest iterations, or split them (for instance into tasks, or with collapse)",
        Confidence::Likely,
    ))
}

/// What is said of a cause.
pub(super) fn explain(cause: Cause) -> (&'static str, &'static str, Confidence) {
    match cause {
        Cause::UnequalSections => (
            "the sections differ in length: threads wait for the longest one",
            "move work from the longest section to the others, split it, or use tasks",
            Confidence::Sure,
        ),
        Cause::WorkInSingle => (
            "one thread works alone in the region while the others wait",
            "share the work out among the threads (for instance by a worksharing loop), or let the others go on \
             (nowait)",
            Confidence::Sure,
        ),
        Cause::IoInRegion => (
            "threads wait for one that is off the CPU: it reads, writes or sleeps",
            "collect what is to be written and do the I/O after the region, in fewer and larger requests",
            Confidence::Likely,
        ),
        Cause::CopyinLarge => (
            "the threads copy large threadprivate variables at the begin of each execution (copyin)",
            "share what is only read, and copy in only what changes",
            Confidence::Likely,
        ),
        Cause::ChunkTooLarge => (
            "the chunks of the dynamic loop are so long that threads wait for the last ones",
            "a smaller chunk size",
            Confidence::Likely,
        ),
        Cause::ImbalanceGuided => (
            "the guided loop ends unevenly: the chunks at its begin are long, and not of equal cost",
            "schedule(dynamic) with a small chunk",
            Confidence::Likely,
        ),
        _ => (
            "the threads have unequal parts of the work: most wait for the busiest one",
            "schedule(dynamic), or a static schedule with a small chunk; parts of equal cost",
            Confidence::Likely,
        ),
    }
}

/// Finds barriers at which the threads wait in turn: each thread is late at another one, and all have about the same
/// work in sum. True if the region's waiting is of this kind.
fn find_needless(run: &Run<'_>, region: &Region, found: &mut Vec<Finding>) -> bool {
    let barriers = || run.waits(region.site()).filter(|wait| !wait.site_is_for_tasks());
    let waited = total(barriers().map(|wait| wait.wait_ns));
    let unavoidable = region.max_work_ns.saturating_sub(region.mean_work_ns as u64).saturating_mul(region.max_threads);
    let inner = barriers().filter(|wait| wait.kind != AT_REGION_END).max_by_key(|wait| wait.wait_ns);
    let Some(inner) = inner else { return false };
    let is_balanced = unavoidable < waited / 3;
    if !is_balanced || inner.wait_ns < waited / 4 || is_alone(inner) || is_for_one(inner) {
        return false;
    }
    found.push(Finding {
        cause: Cause::NeedlessBarrier,
        site: inner.site,
        region: region.site(),
        sentence: "the threads wait for each other in turn at barriers, though all have the same work in sum"
            .to_owned(),
        evidence: vec![
            format!("{} waited at barriers in the region", duration(waited)),
            format!("{} would be left without the barriers inside", duration(unavoidable)),
        ],
        advice: "nowait, or no barrier, if what follows needs only the thread's own results",
        gain_ns: (waited.saturating_sub(unavoidable))
            .saturating_sub(region.cpu.waits_for_strangers(region.max_threads))
            / region.max_threads,
        confidence: Confidence::Possible,
        line: None,
        change: Some((GainKind::NoWait, inner.site)),
    });
    true
}
