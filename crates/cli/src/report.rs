//! `ferromp report`: the summary of a trace, as tables for people or as JSON for scripts.

mod damage;
mod json;

pub use damage::damage;

use std::path::PathBuf;

use console::Term;
use serde_json::Value;

use ferromp_trace::analysis::Summary;
use ferromp_trace::reader::Trace;
use ferromp_trace::report::{self, Style};
use ferromp_trace::store::folder;
use ferromp_trace::symbols::Symbolizer;

use crate::args::{Format, ReportArgs};
use crate::failure::{FAILED, Failure};
use crate::progress::Progress;
use crate::say;

/// Summaries, and whether they are complete.
pub struct Summaries<T> {
    /// The text or values of the summaries.
    pub what: T,
    /// True if a part of the traces could not be read.
    pub damaged: bool,
}

/// Prints the summary of each trace in a folder. The status says whether all of it could be read.
pub fn perform(args: &ReportArgs) -> Result<u8, Failure> {
    let traces = find(&args.folder)?;
    let damaged = match args.format {
        Format::Text => {
            let summaries = text(&traces, &style(&Term::stdout()))?;
            say::answer(&summaries.what)?;
            summaries.damaged
        }
        Format::Json => {
            let Summaries { what, damaged } = each(&traces, json::one)?;
            let mut document = serde_json::Map::new();
            document.insert("traces".into(), what.into());
            say::answer(&say::document(&Value::Object(document)))?;
            damaged
        }
    };
    Ok(if damaged { FAILED } else { 0 })
}

/// The traces in a folder; several if the program started others.
pub fn find(path: &std::path::Path) -> Result<Vec<PathBuf>, Failure> {
    if !path.exists() {
        return Err(Failure::new(format!("{}: no such folder", path.display())));
    }
    if !path.is_dir() {
        return Err(Failure::new(format!("{}: not a trace: a trace is a folder", path.display())));
    }
    folder::traces_in(path).map_err(failure)
}

/// The summaries of several traces, one below the other. A trace that cannot be read is named on stderr; if none can be
/// read, this is a failure.
pub fn text(traces: &[PathBuf], style: &Style) -> Result<Summaries<String>, Failure> {
    let summaries = each(traces, |trace, summary, symbols| report::text(trace, summary, symbols, style))?;
    Ok(Summaries { what: summaries.what.join("\n"), damaged: summaries.damaged })
}

/// Calls a function for each trace. A trace that cannot be read is named on stderr; if none can be read, this is a
/// failure.
fn each<T>(
    traces: &[PathBuf],
    mut summarise: impl FnMut(&Trace, &Summary, &mut Symbolizer) -> T,
) -> Result<Summaries<Vec<T>>, Failure> {
    let (mut what, mut failed, mut damaged) = (Vec::new(), None, false);
    for path in traces {
        match read(path) {
            Ok((trace, summary, mut symbols)) => {
                what.push(summarise(&trace, &summary, &mut symbols));
                damaged |= !damage(&trace, &symbols).is_empty();
            }
            Err(failure) => {
                if let Some(Failure { line, .. }) = failed.replace(failure) {
                    say::note(line);
                }
            }
        }
    }
    match failed {
        Some(failure) if what.is_empty() => Err(failure),
        Some(failure) => {
            say::note(failure.line);
            Ok(Summaries { what, damaged: true })
        }
        None => Ok(Summaries { what, damaged }),
    }
}

/// Opens and analyses one trace, by source lines if they are known. The report names damage that can be skipped.
pub fn read(path: &std::path::Path) -> Result<(Trace, Summary, Symbolizer), Failure> {
    let trace = Trace::open(path).map_err(failure)?;
    let mut progress = Progress::new("reading");
    let mut symbols = Symbolizer::new(&trace.modules);
    let mut on_progress = |done, total| progress.update(done, total);
    let summary = Summary::by_place(&trace, &mut on_progress, &mut |site| symbols.place(site));
    Ok((trace, summary, symbols))
}

/// The store's errors name their culprit already.
pub fn failure(error: ferromp_trace::Error) -> Failure {
    match &error {
        ferromp_trace::Error::Io { path, source } => Failure::file("use", path, source),
        ferromp_trace::Error::Malformed { path, reason } => {
            Failure::new(format!("{}: cannot be read as a trace: {reason}", path.display()))
        }
        ferromp_trace::Error::NotATrace(_) => Failure::new(error.to_string()),
    }
}

/// The style of a report, on a terminal or in a file.
pub fn style(term: &Term) -> Style {
    if !term.is_term() {
        return Style::plain();
    }
    let width = usize::from(term.size().1);
    let stderr = matches!(term.target(), console::TermTarget::Stderr);
    let colors = if stderr { console::colors_enabled_stderr() } else { console::colors_enabled() };
    Style { color: colors, ..Style::terminal(width) }
}
