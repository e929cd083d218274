//! `ferromp report`: the summary of a trace, as tables for people or as JSON for scripts.

mod json;

use std::path::PathBuf;

use console::Term;
use ferromp_trace::analysis::Summary;
use ferromp_trace::reader::Trace;
use ferromp_trace::report::{self, Style};
use ferromp_trace::store::folder;
use ferromp_trace::symbols::Symbolizer;

use crate::args::{Format, ReportArgs};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::say;

/// Prints the summary of each trace in a folder.
pub fn perform(args: &ReportArgs) -> Result<u8, Failure> {
    let traces = find(&args.folder)?;
    match args.format {
        Format::Text => say::answer(&text(&traces, &style(&Term::stdout()))?),
        Format::Json => say::answer(&format!("{:#}\n", json::document(&traces)?)),
    }
    .map(|()| 0)
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

/// The summaries of several traces, one below the other. One that cannot be read is named on stderr; a failure if none can.
pub fn text(traces: &[PathBuf], style: &Style) -> Result<String, Failure> {
    let mut parts = Vec::new();
    let mut failed = None;
    for path in traces {
        match read(path) {
            Ok((trace, summary, mut symbols)) => {
                parts.push(report::text(&trace, &summary, &mut symbols, style));
            }
            Err(failure) => {
                if let Some(Failure { line, .. }) = failed.replace(failure) {
                    say::note(line);
                }
            }
        }
    }
    match failed {
        Some(failure) if parts.is_empty() => Err(failure),
        Some(failure) => {
            say::note(failure.line);
            Ok(parts.join("\n"))
        }
        None => Ok(parts.join("\n")),
    }
}

/// Opens and analyses one trace, by lines of the source where they are known.
/// Damage that can be read past is named in the report.
pub fn read(path: &std::path::Path) -> Result<(Trace, Summary, Symbolizer), Failure> {
    let trace = Trace::open(path).map_err(failure)?;
    let mut progress = Progress::new("reading");
    let mut symbols = Symbolizer::new(&trace.modules);
    let mut told = |done, total| progress.update(done, total);
    let summary = Summary::by_place(&trace, &mut told, &mut |codeptr| symbols.place(codeptr));
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

/// How a report looks on a terminal, or in a file where that is none.
pub fn style(term: &Term) -> Style {
    if !term.is_term() {
        return Style::plain();
    }
    let width = usize::from(term.size().1);
    let stderr = matches!(term.target(), console::TermTarget::Stderr);
    let colors = if stderr { console::colors_enabled_stderr() } else { console::colors_enabled() };
    Style { color: colors, ..Style::terminal(width) }
}
