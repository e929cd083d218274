//! Threads that contend for locks of the system's libraries (`pthread_mutex_t`, `std::mutex`), as samples show. OpenMP
//! knows nothing of these locks.

use super::cause::Cause;
use super::finding::{Confidence, Finding, Run, percent};
use crate::analysis::{Doing, Region, Sampled};
use crate::symbols::Location;
use std::rc::Rc;

/// Fewer samples say too little.
const LEAST_SAMPLES: u64 = 10;
/// From this part of a region's samples on, locks are what the region does, in percent. An uncontended lock takes some
/// 20 ns.
const LEAST_PERCENT: u64 = 15;
/// Parts of the names of functions of the C library and of C++'s, in which threads take locks and give them back.
const LOCKING: [&str; 6] =
    ["pthread_mutex_", "lll_lock_", "lll_mutex_", "gthread_mutex_", "pthread_spin_", "pthread_rwlock_"];
/// As above: the system call for a thread that has to wait, wherever the thread waits.
const WAITING: [&str; 2] = ["futex_wait", "lll_lock_wait"];

/// Finds a region whose threads spend much of their time with such locks.
pub fn find(run: &mut Run<'_>, region: &Region, found: &mut Vec<Finding>) {
    let is_here = |sampled: &&Sampled| {
        sampled.region == region.site() && sampled.doing.is_program() && sampled.doing != Doing::Serial
    };
    let (mut all, mut locking, mut waiting, mut most) = (0u64, 0u64, 0u64, None::<(u64, Rc<Location>)>);
    for sampled in run.summary.samples.activities.iter().filter(is_here) {
        all += sampled.count;
        for line in sampled.lines(run.trace, run.symbols) {
            let names = [&line.callee, &line.place.function];
            let has = |parts: &[&str]| {
                names.iter().copied().flatten().any(|name| parts.iter().any(|part| name.contains(part)))
            };
            if has(&LOCKING) || has(&WAITING) {
                locking += line.count;
                waiting += if has(&WAITING) { line.count } else { 0 };
                if most.as_ref().is_none_or(|(count, _)| line.count > *count) {
                    most = Some((line.count, line.place));
                }
            }
        }
    }
    let Some((_, place)) = most else { return };
    // Who never waits pays for the lock, but does not contend for it.
    let contended = waiting > 0 || region.cpu.blocked_ns > region.work_ns / 20;
    if all < LEAST_SAMPLES || percent(locking, all) < LEAST_PERCENT || !contended {
        return;
    }
    let lost = (region.work_ns / all).saturating_mul(locking).max(region.cpu.blocked_ns);
    // Threads were off the CPU because they waited for the lock.
    found.retain(|finding| finding.cause != Cause::IoInRegion);
    found.push(Finding {
        cause: Cause::LockContention,
        site: place.address.into(),
        region: region.site(),
        sentence: "threads contend for a lock that is not OpenMP's, such as a std::mutex or a pthread_mutex_t"
            .to_owned(),
        evidence: vec![format!(
            "{} % of the region's {all} samples are in locking and unlocking",
            percent(locking, all)
        )],
        advice: "a lock for each part of the data, data of its own for each thread, or less work while it is held",
        gain_ns: lost / region.max_threads,
        confidence: Confidence::Likely,
        line: Some(place),
        change: None,
    });
}
