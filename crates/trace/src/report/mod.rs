//! A summary as text: a header, and tables laid out for the width of a terminal or of a file.

mod clocks;
mod diff;
mod findings;
mod header;
mod layout;
mod processes;
mod scaling;
mod style;
mod tables;
#[cfg(test)]
mod tests;
mod what_if;

use crate::analysis::{CpuTime, Summary, ThreadRow};
use crate::reader::Trace;
use crate::store::lock::State;
use crate::store::trimmed::Kept;
use crate::symbols::Symbolizer;
pub use crate::units::duration;
pub use diff::{change, diff, subject};
use layout::wrapped;
pub use processes::processes;
pub use scaling::scaling;
pub use style::{Choice, Style};
pub use tables::{Source, TABLES, Table};
pub use what_if::what_if;

/// The whole report of one trace, several lines, ending with a line feed.
pub fn text(trace: &Trace, summary: &Summary, symbols: &mut Symbolizer, style: &Style) -> String {
    let mut out = header::header(&trace.meta, &trace.selection, summary, symbols, style);
    out += &warnings(trace, summary, style);
    if summary.no_openmp {
        out += &style.warning(nothing(trace, summary));
        return out;
    }
    out += &findings::text(trace, summary, symbols, style);
    out += &tables(&mut Source { trace, summary, symbols }, style);
    for line in &symbols.damage {
        out += &style.warning(&format!("damaged: {line}"));
    }
    for problem in &symbols.problems {
        out += &style.warning(problem);
    }
    out
}

/// The tables that the style asks for, each with a blank line above. The brief form ends with a line that names the
/// flags of the others.
fn tables(source: &mut Source<'_>, style: &Style) -> String {
    let (mut out, mut others) = (String::new(), Vec::new());
    for table in TABLES {
        let rows = (table.rows)(source.summary);
        if style.shows(table.name, table.brief, rows == 0) {
            out += &format!("\n{}", (table.sheet)(source, style.most_rows()).draw(style));
        } else if rows > 0 {
            others.push(format!("--{} ({rows} row{})", table.name, if rows == 1 { "" } else { "s" }));
        }
    }
    if style.choice == Choice::Brief && !others.is_empty() {
        out += &format!("\n{}", wrapped(&format!("Other tables: {}; or --all.", others.join(", ")), 0, style.width));
    }
    out
}

/// Why the trace has no events of constructs. The text claims that the program had none only if that is certain.
fn nothing(trace: &Trace, summary: &Summary) -> &'static str {
    if !trace.all_damage().is_empty() {
        "no OpenMP events: nothing can be read of what the program did"
    } else if summary.lost > 0 || trace.meta.missed_threads > 0 {
        "no OpenMP events: nothing could be recorded of what the program did"
    } else if !trace.selection.is_all() {
        "no OpenMP events: the program has used no OpenMP construct before the end of this part"
    } else if !trace.meta.finished {
        "no OpenMP events: the program has used no OpenMP construct before the trace's end"
    } else {
        "no OpenMP events: the program started the runtime but used no OpenMP construct"
    }
}

/// Whether the process is a forked child that has ended outside of regions, as with `_exit` or `exec`. Children usually
/// do, and nothing is missing in their traces.
fn ended_early(trace: &Trace, summary: &Summary) -> bool {
    trace.meta.forked_from.is_some() && trace.state == State::Ended && summary.unended == 0
}

/// What readers have to know before they look at numbers.
fn warnings(trace: &Trace, summary: &Summary, style: &Style) -> String {
    let mut out = String::new();
    if !trace.meta.finished && !ended_early(trace, summary) {
        let why = match trace.state {
            State::Runs => "the program still runs",
            State::Ended => "the program did not end in good order",
            State::Unknown => "the program did not end in good order (or still runs)",
        };
        out += &style.warning(&format!("{why}; the trace goes to its last event"));
    }
    out += &trimmed(trace, style);
    if summary.lost > 0 {
        out += &style.warning(&format!("{} events were lost: the trace files could not grow", summary.lost));
    }
    if trace.meta.missed_threads > 0 {
        out += &style.warning(&format!("{} threads could not be recorded", trace.meta.missed_threads));
    }
    out += &recording(summary, style);
    out += &uncertain(summary, style);
    for line in trace.all_damage() {
        out += &style.warning(&format!("damaged: {line}"));
    }
    out
}

/// What the trace lacks on purpose.
fn trimmed(trace: &Trace, style: &Style) -> String {
    let Some(trimmed) = &trace.trimmed else { return String::new() };
    let mut out = String::new();
    if trimmed.kept == Kept::Newest {
        let from = duration(trace.kept_from_ns().unwrap_or(0));
        out += &style.warning(&format!("the trace has the events from {from} on; the summary is of the whole run"));
    }
    if trimmed.waited_ns > 0 {
        let waited = duration(trimmed.waited_ns);
        out += &style.warning(&format!("threads waited {waited} for the analysis to catch up: times are uncertain"));
    }
    if trimmed.late > 0 {
        out += &style.warning(&format!("{} events were written late: sums may be off a little", trimmed.late));
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
fn recording(summary: &Summary, style: &Style) -> String {
    let time = |row: &ThreadRow| row.work_ns.saturating_add(row.wait_ns).saturating_add(row.runtime_ns);
    let all = summary.thread_rows.iter().filter(|row| row.device.is_none()).map(time).fold(0, u64::saturating_add);
    let percent = 100 * u128::from(summary.recording_ns) / u128::from(all).max(1);
    if percent < u128::from(RECORDING_PERCENT) || summary.recording_ns < RECORDING_NS {
        return String::new();
    }
    style.warning(&format!(
        "the recording took about {} % of the threads' time, {} an event: without it, the run and its gains are shorter",
        percent.min(99),
        duration(summary.event_ns)
    ))
}

/// What the system has taken from the program's threads, so that their times say less about the program.
fn uncertain(summary: &Summary, style: &Style) -> String {
    let mut out = String::new();
    let sum =
        |part: fn(&CpuTime) -> u64| summary.thread_rows.iter().map(|row| part(&row.cpu)).fold(0, u64::saturating_add);
    let taken = sum(|cpu| cpu.preempted_ns.saturating_sub(cpu.shared_ns));
    let percent = 100 * u128::from(taken) / u128::from(sum(|cpu| cpu.work_ns)).max(1);
    if percent >= u128::from(STRANGERS_PERCENT) && taken >= STRANGERS_NS {
        out += &style
            .warning(&format!("other processes took {percent} % of the threads' time on CPUs: times are uncertain"));
    }
    if let Some(throttled) = summary.throttled.filter(|throttled| throttled.periods > 0) {
        out += &style.warning(&format!("the quota held the process back for {}", duration(throttled.ns)));
    }
    out
}
