//! `ferromp report`: the summary of a trace, as tables for people or as JSON for scripts.

mod counters_json;
mod cpu_json;
mod damage;
mod findings_json;
mod html;
mod json;
mod loops_json;
mod place;
mod samples;
mod traces;

pub use damage::damage;
pub use traces::{Summaries, failure};

use traces::each;

use std::path::{Path, PathBuf};

use console::Term;

use ferromp_trace::analysis::Summary;
use ferromp_trace::reader::Trace;
use ferromp_trace::report::{self, Style};
use ferromp_trace::store::folder;
use ferromp_trace::symbols::Symbolizer;

use crate::args::{Format, ReportArgs};
use crate::failure::{FAILED, Failure};
use crate::part::Part;
use crate::say;

/// Prints the summary of each trace in a folder. The status says whether all of it could be read.
pub fn perform(args: &ReportArgs) -> Result<u8, Failure> {
    let traces = find(&args.folder)?;
    if let Some(path) = &args.html {
        return html::perform(&traces, &args.part, path, args.force);
    }
    let damaged = match args.format {
        Format::Text => {
            let summaries = text(&traces, &args.part, &args.look.style(&Term::stdout()), |_| true)?;
            say::answer(&summaries.what)?;
            summaries.damaged
        }
        Format::Json => {
            let Summaries { what, processes, damaged } = each(&traces, &args.part, json::one)?;
            say::answer(&say::document(&json::document(what, &processes)))?;
            damaged
        }
    };
    Ok(if damaged { FAILED } else { 0 })
}

/// The traces in a folder; several if the program started others.
pub fn find(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.exists() {
        return Err(Failure::new(format!("{}: no such folder", path.display())));
    }
    if !path.is_dir() {
        return Err(Failure::new(format!("{}: not a trace: a trace is a folder", path.display())));
    }
    folder::traces_in(path).map_err(failure)
}

/// The summaries of several traces, one below the other, below a comparison of their processes. The comparison is about
/// all traces, and `shown` says which ones get a summary. A trace that cannot be read is named on stderr; if none can
/// be read, this is a failure.
pub fn text(
    traces: &[PathBuf],
    part: &Part,
    style: &Style,
    shown: impl Fn(&Path) -> bool,
) -> Result<Summaries<String>, Failure> {
    let one = |trace: &Trace, summary: &Summary, symbols: &mut Symbolizer| {
        if shown(&trace.dir) { report::text(trace, summary, symbols, style) } else { String::new() }
    };
    let Summaries { what, processes, damaged } = each(traces, part, one)?;
    let compared = report::processes(&processes, style);
    let parts = std::iter::once(compared).chain(what).filter(|part| !part.is_empty());
    Ok(Summaries { what: parts.collect::<Vec<String>>().join("\n"), processes, damaged })
}
