//! `ferromp report`: the summary of a trace, as tables for people or as JSON for scripts.

mod counters_json;
mod cpu_json;
mod damage;
mod efficiency_json;
mod findings_json;
mod html;
mod json;
mod loops_json;
mod mpi_json;
mod place;
mod ranks;
mod ranks_json;
mod replayed;
pub mod runs;
mod samples;
pub mod scaling;
mod traces;

pub use damage::damage;
pub use ranks::are_ranks;
pub use traces::{Summaries, failure, find};

use traces::each;

use std::path::{Path, PathBuf};

use console::Term;

use ferromp_trace::analysis::Summary;
use ferromp_trace::reader::Trace;
use ferromp_trace::replay::WhatIf;
use ferromp_trace::report::{self, Choice, Style};
use ferromp_trace::symbols::Symbolizer;

use crate::args::{Format, ReportArgs};
use crate::failure::{FAILED, Failure};
use crate::part::Part;
use crate::say;

/// Prints the summary of each trace in a folder. The status says whether all of it could be read.
pub fn perform(args: &ReportArgs) -> Result<u8, Failure> {
    let [folder] = &args.folders[..] else { return scaling::perform(args) };
    let traces = find(folder)?;
    if let Some(path) = &args.html {
        return html::perform(folder, &traces, &args.part, path, args.force);
    }
    let style = args.look.style(&Term::stdout());
    if style.choice != Choice::All && style.asks_for("critical-path") && !args.part.is_all() {
        return Err(Failure::new("--critical-path is about the whole run, and not about a part of it"));
    }
    let damaged = match args.format {
        Format::Text if !args.what_if.is_empty() => {
            let show = |trace: &Trace, summary: &Summary, symbols: &mut Symbolizer, what_if: &WhatIf| {
                replayed::text(trace, summary, symbols, what_if, &style)
            };
            let Summaries { what, damaged, .. } = replayed::changed(&traces, &args.what_if, show)?;
            say::answer(&what.join("\n"))?;
            damaged
        }
        Format::Json if !args.what_if.is_empty() => {
            let show = |trace: &Trace, summary: &Summary, symbols: &mut Symbolizer, what_if: &WhatIf| {
                let mut one = json::one(trace, &replayed::with_path(trace, summary, symbols, &style), symbols);
                one["what_if"] = replayed::json(what_if, symbols);
                one
            };
            let Summaries { what, processes, damaged } = replayed::changed(&traces, &args.what_if, show)?;
            say::answer(&say::document(&json::document(what, &processes)))?;
            damaged
        }
        Format::Text => {
            let summaries = text(folder, &traces, &args.part, &style, |_| true)?;
            say::answer(&summaries.what)?;
            summaries.damaged
        }
        Format::Json if are_ranks(folder, &traces) => {
            let one = |trace: &Trace, summary: &Summary, symbols: &mut Symbolizer| {
                json::written(&json::one(trace, &replayed::with_path(trace, summary, symbols, &style), symbols))
            };
            let ranks::Read { run, what, damaged, .. } = ranks::read(&traces, &args.part, one)?;
            let (processes, texts): (Vec<_>, Vec<_>) = what.into_iter().unzip();
            let mut document = json::document(Vec::new(), &processes);
            document["ranks"] = ranks_json::ranks(&run);
            say::answer(&json::with_traces(&document, &texts))?;
            damaged
        }
        Format::Json => {
            let one = |trace: &Trace, summary: &Summary, symbols: &mut Symbolizer| {
                json::one(trace, &replayed::with_path(trace, summary, symbols, &style), symbols)
            };
            let Summaries { what, processes, damaged } = each(&traces, &args.part, one)?;
            say::answer(&say::document(&json::document(what, &processes)))?;
            damaged
        }
    };
    Ok(if damaged { FAILED } else { 0 })
}

/// The summaries of the traces in `folder`, one below the other, below a comparison of their processes. The comparison
/// is about all traces, and `shown` says which ones get a summary. The ranks of a job have one report together. A trace
/// that cannot be read is named on stderr; if none can be read, this is a failure.
pub fn text(
    folder: &Path,
    traces: &[PathBuf],
    part: &Part,
    style: &Style,
    shown: impl Fn(&Path) -> bool,
) -> Result<Summaries<String>, Failure> {
    if are_ranks(folder, traces) {
        return text_of_ranks(traces, part, style, shown);
    }
    let one = |trace: &Trace, summary: &Summary, symbols: &mut Symbolizer| {
        if !shown(&trace.dir) {
            return String::new();
        }
        let summary = replayed::with_path(trace, summary, symbols, style);
        report::text(trace, &summary, symbols, style)
    };
    let Summaries { what, processes, damaged } = each(traces, part, one)?;
    let compared = report::processes(&processes, style);
    let parts = std::iter::once(compared).chain(what).filter(|part| !part.is_empty());
    Ok(Summaries { what: parts.collect::<Vec<String>>().join("\n"), processes, damaged })
}

/// The report of the ranks of a job, above the summaries of processes without a rank.
fn text_of_ranks(
    traces: &[PathBuf],
    part: &Part,
    style: &Style,
    shown: impl Fn(&Path) -> bool,
) -> Result<Summaries<String>, Failure> {
    let ranks::Read { run, what, others, damaged } = ranks::read(traces, part, |_, _, _| ())?;
    let mut processes: Vec<_> = what.into_iter().map(|(process, ())| process).collect();
    let mut all = vec![report::ranks(&run, &processes, style)];
    if !others.is_empty() {
        let one = |trace: &Trace, summary: &Summary, symbols: &mut Symbolizer| {
            let summary = replayed::with_path(trace, summary, symbols, style);
            if shown(&trace.dir) { report::text(trace, &summary, symbols, style) } else { String::new() }
        };
        let further = each(&others, part, one)?;
        all.extend(further.what.into_iter().filter(|text| !text.is_empty()));
        processes.extend(further.processes);
    }
    Ok(Summaries { what: all.join("\n"), processes, damaged })
}
