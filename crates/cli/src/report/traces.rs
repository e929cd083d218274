//! Reading and analysing several traces, one after the other.

use std::path::{Path, PathBuf};

use ferromp_trace::analysis::{Process, Summary};
use ferromp_trace::cached;
use ferromp_trace::reader::Trace;
use ferromp_trace::store::folder;
use ferromp_trace::symbols::Symbolizer;

use super::damage::damage;
use crate::failure::Failure;
use crate::part::Part;
use crate::progress::Progress;
use crate::say;

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

/// Summaries, and whether they are complete.
pub struct Summaries<T> {
    /// The text or values of the summaries.
    pub what: T,
    /// The processes, in the order of the traces.
    pub processes: Vec<Process>,
    /// True if a part of the traces could not be read.
    pub damaged: bool,
}

/// Calls a function for each trace, with the summary of the part. A trace that cannot be read is named on stderr; if
/// none can be read, this is a failure.
pub fn each<T>(
    traces: &[PathBuf],
    part: &Part,
    mut summarise: impl FnMut(&Trace, &Summary, &mut Symbolizer) -> T,
) -> Result<Summaries<Vec<T>>, Failure> {
    let (mut what, mut processes, mut failed, mut damaged) = (Vec::new(), Vec::new(), None, false);
    for path in traces {
        let mut progress = Progress::new("reading");
        let read = read(path, part, &mut |done, total| progress.update(done, total));
        drop(progress);
        match read {
            Ok((trace, summary, mut symbols)) => {
                what.push(summarise(&trace, &summary, &mut symbols));
                processes.push(Process::of(&trace.meta, &summary));
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
            Ok(Summaries { what, processes, damaged: true })
        }
        None => Ok(Summaries { what, processes, damaged }),
    }
}

/// Opens and analyses one trace, by source lines if they are known. The report names damage that can be skipped. What
/// is kept in a trace's folder is about the whole trace, so it is of no use for a part. `progress` gets the bytes read.
pub fn read(
    path: &Path,
    part: &Part,
    progress: ferromp_trace::Progress<'_>,
) -> Result<(Trace, Summary, Symbolizer), Failure> {
    if !part.is_all() {
        let mut trace = Trace::open(path).map_err(failure)?;
        if trace.trimmed.is_some() {
            return Err(Failure::new(lacks_events(&trace, "--from, --to and --region")));
        }
        let mut symbols = Symbolizer::new(&trace.modules);
        part.select(&mut trace, &mut symbols)?;
        let summary = Summary::by_place(&trace, progress, &mut |site| symbols.place(site));
        return Ok((trace, summary, symbols));
    }
    cached::open(path, progress).map_err(failure)
}

/// Why an option cannot be had of a trace that lacks events on purpose.
pub fn lacks_events(trace: &Trace, option: &str) -> String {
    format!("{}: {option} need all events of a run, and this trace does not have them", trace.dir.display())
}

/// The store's errors name their culprit already.
pub fn failure(error: ferromp_trace::Error) -> Failure {
    match &error {
        ferromp_trace::Error::Io { path, source } => Failure::file("use", path, source),
        ferromp_trace::Error::Malformed { path, reason } => {
            Failure::new(format!("{}: cannot be read as a trace: {reason}", path.display()))
        }
        ferromp_trace::Error::NotATrace(_) | ferromp_trace::Error::Lacks { .. } => Failure::new(error.to_string()),
    }
}
