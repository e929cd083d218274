//! What readers have to know before they look at a report's numbers.

use crate::analysis::{CpuTime, Summary, ThreadRow};
use crate::reader::Trace;
use crate::store::lock::State;
use crate::store::trimmed::Kept;
use crate::units::duration;

/// Whether the process is a forked child that has ended outside of regions, as with `_exit` or `exec`. Children usually
/// do, and nothing is missing in their traces.
fn ended_early(trace: &Trace, summary: &Summary) -> bool {
    trace.meta.forked_from.is_some() && trace.state == State::Ended && summary.unended == 0
}

/// What readers have to know before they look at numbers, one line each.
pub fn warnings(trace: &Trace, summary: &Summary) -> Vec<String> {
    let mut out = Vec::new();
    if !trace.meta.finished && !ended_early(trace, summary) {
        let why = match trace.state {
            State::Runs => "the program still runs",
            State::Ended => "the program did not end in good order",
            State::Unknown => "the program did not end in good order (or still runs)",
        };
        out.push(format!("{why}; the trace goes to its last event"));
    }
    out.extend(trimmed(trace));
    if summary.lost > 0 {
        out.push(format!("{} events were lost: the trace files could not grow", summary.lost));
    }
    if trace.meta.missed_threads > 0 {
        out.push(format!("{} threads could not be recorded", trace.meta.missed_threads));
    }
    out.extend(recording(summary));
    out.extend(uncertain(summary));
    out.extend(trace.all_damage().iter().map(|line| format!("damaged: {line}")));
    out
}

/// What the trace lacks on purpose.
fn trimmed(trace: &Trace) -> Vec<String> {
    let Some(trimmed) = &trace.trimmed else { return Vec::new() };
    let mut out = Vec::new();
    if trimmed.kept == Kept::Newest {
        let from = duration(trace.kept_from_ns().unwrap_or(0));
        out.push(format!("the trace has the events from {from} on; the summary is of the whole run"));
    }
    if trimmed.waited_ns > 0 {
        let waited = duration(trimmed.waited_ns);
        out.push(format!("threads waited {waited} for the analysis to catch up: times are uncertain"));
    }
    if trimmed.late > 0 {
        out.push(format!("{} events were written late: sums may be off a little", trimmed.late));
    }
    out
}

/// Other processes are worth a word if they take this part of the work's time, in percent.
const STRANGERS_PERCENT: u64 = 5;

/// And if they take so much in all. The switches of a short run say nothing.
const STRANGERS_NS: u64 = 20_000_000;

/// The recording is worth a word if it takes this part of the threads' time, in percent, and so much in all.
const RECORDING_PERCENT: u64 = 10;
const RECORDING_NS: u64 = 20_000_000;

/// What the recording has added to the threads' times.
pub(super) fn recording(summary: &Summary) -> Option<String> {
    let time = |row: &ThreadRow| row.work_ns.saturating_add(row.wait_ns).saturating_add(row.runtime_ns);
    let all = summary.thread_rows.iter().filter(|row| row.device.is_none()).map(time).fold(0, u64::saturating_add);
    let percent = 100 * u128::from(summary.recording_ns) / u128::from(all).max(1);
    if percent < u128::from(RECORDING_PERCENT) || summary.recording_ns < RECORDING_NS {
        return None;
    }
    Some(format!(
        "the recording took about {} % of the threads' time, {} an event: without it, the run and its gains are shorter",
        percent.min(99),
        duration(summary.event_ns)
    ))
}

/// What the system has taken from the program's threads, so that their times say less about the program.
fn uncertain(summary: &Summary) -> Vec<String> {
    let mut out = Vec::new();
    let sum =
        |part: fn(&CpuTime) -> u64| summary.thread_rows.iter().map(|row| part(&row.cpu)).fold(0, u64::saturating_add);
    let taken = sum(|cpu| cpu.preempted_ns.saturating_sub(cpu.shared_ns));
    let percent = 100 * u128::from(taken) / u128::from(sum(|cpu| cpu.work_ns)).max(1);
    if percent >= u128::from(STRANGERS_PERCENT) && taken >= STRANGERS_NS {
        out.push(format!("other processes took {percent} % of the threads' time on CPUs: times are uncertain"));
    }
    if let Some(throttled) = summary.throttled.filter(|throttled| throttled.periods > 0) {
        out.push(format!("the quota held the process back for {}", duration(throttled.ns)));
    }
    out
}
