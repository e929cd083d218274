//! The first lines of a report: what was run, where, how, and for how long. A further fact is a further line in
//! [`facts`], or a further part of a line.

use super::layout::wrapped;
use super::style::Style;
use crate::analysis::{Efficiency, FACTORS, Summary};
use crate::escape;
use crate::selection::Selection;
use crate::store::Meta;
use crate::symbols::{Symbolizer, shortened};
use crate::units::{duration, percent};

/// A command line is shown with at most this many characters.
const LONGEST_COMMAND: usize = 200;
/// The value of a variable is shown with at most this many characters.
const LONGEST_VALUE: usize = 60;
/// The names of the facts have this width.
const LABEL: usize = 11;

/// The header, several lines.
pub fn header(meta: &Meta, part: &Selection, summary: &Summary, symbols: &mut Symbolizer, style: &Style) -> String {
    let mut out = style.title(&shortened(&meta.command(), LONGEST_COMMAND.min(2 * style.width)));
    for (label, value) in facts(meta, part, summary, symbols).into_iter().filter(|(_, value)| !value.is_empty()) {
        let lines = wrapped(&escape::line(&value), LABEL, style.width);
        let label = format!("  {label}");
        out += &format!("{}{}", style.faint(&format!("{label:LABEL$}")), &lines[LABEL..]);
    }
    out
}

fn facts(meta: &Meta, part: &Selection, summary: &Summary, symbols: &mut Symbolizer) -> Vec<(&'static str, String)> {
    let mut process = vec![format!("process {} on {}", meta.pid, meta.hostname)];
    process.extend(meta.rank.map(|rank| format!("rank {rank}")));
    process.extend(meta.forked_from.map(|parent| format!("forked from {parent}")));
    process.push(counted(u64::from(meta.cpus), "CPU"));
    let mut threads = vec![summary.threads.to_string()];
    threads.extend(
        meta.openmp_environment.iter().map(|(name, value)| format!("{name}={}", shortened(value, LONGEST_VALUE))),
    );
    vec![
        ("where", process.join(", ")),
        ("threads", threads.join(", ")),
        ("quota", meta.cpu_quota.map_or(String::new(), quota)),
        ("compiler", symbols.compilers(summary.sites()).join("; ")),
        ("runtime", meta.runtime.clone()),
        ("part", part.describe().join(", ")),
        ("time", time(meta, part, summary)),
        ("useful", useful(summary)),
        ("mpi", mpi(summary)),
    ]
}

fn quota(cpus: f64) -> String {
    format!("the time of {cpus:.2} CPUs, as control groups limit it")
}

fn time(meta: &Meta, part: &Selection, summary: &Summary) -> String {
    if !part.is_all() {
        return format!("{} of the run; {} events", duration(summary.wall_ns), summary.events);
    }
    let end = if meta.finished { "" } else { " to the last event" };
    let mut text = format!("{} from the first use of OpenMP{end}", duration(summary.wall_ns));
    if !summary.no_openmp && summary.wall_ns > 0 {
        let share = 100.0 * summary.serial_ns as f64 / summary.wall_ns as f64;
        text += &format!(", {} ({share:.1} %) of it outside parallel regions", duration(summary.serial_ns));
        if summary.mpi_serial_ns > 0 {
            text += &format!(" and {} of that in MPI", duration(summary.mpi_serial_ns));
        }
    }
    text + &format!("; {} events", summary.events)
}

/// The run's parallel efficiency and its factors; nothing of a run without teams.
fn useful(summary: &Summary) -> String {
    let threads = summary.outermost.threads;
    let Some(found) = Efficiency::of_run(summary).filter(|_| threads > 1) else { return String::new() };
    let factors = FACTORS.map(|(name, factor)| format!("{} % {name}", percent(100.0 * factor(&found))));
    format!("{} % of {threads} threads' time = {}", percent(100.0 * found.parallel), factors.join(" x "))
}

/// The process's part in the run's MPI efficiency, and the product with that of OpenMP.
fn mpi(summary: &Summary) -> String {
    let Some(found) = summary.mpi_efficiency() else { return String::new() };
    let calls = summary.mpi.iter().map(|site| site.count).fold(0, u64::saturating_add);
    let mut text = format!("{} in {}", duration(summary.mpi_ns), counted(calls, "call"));
    text += &format!("; {} % MPI efficiency", percent(100.0 * found));
    if let Some(openmp) = Efficiency::of_run(summary).filter(|_| summary.outermost.threads > 1) {
        let (both, openmp) = (percent(100.0 * found * openmp.parallel), percent(100.0 * openmp.parallel));
        text += &format!(" x {openmp} % OpenMP efficiency = {both} %");
    }
    text
}

fn counted(count: u64, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}
