//! The formats of `ferromp export`: what their files are called, and who writes them.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;

use ferromp_tables::Kind;
use ferromp_trace::export::{Budget, Format, chrome, csv, folded, perf_script, perfetto, speedscope};

use crate::args::{Of, Target};
use crate::failure::Failure;
use crate::report;

/// Says that `--of` has no meaning for a format.
const NO_CHOICE: &str = "--of: only folded and speedscope let you choose";

/// What is appended to the name of the trace's folder.
pub fn ending(target: Target) -> &'static str {
    match target {
        Target::Perfetto => ".perfetto-trace",
        Target::Folded => ".folded",
        Target::Speedscope => ".speedscope.json",
        Target::Csv => ".csv",
        Target::Chrome => ".chrome.json",
        Target::PerfScript => ".perf.txt",
        Target::Otf2 => ".otf2",
        Target::Parquet => ".parquet",
        Target::Arrow => ".arrow",
    }
}

/// Where to open the file, as a line for the user.
pub fn viewer(target: Target) -> Option<&'static str> {
    match target {
        Target::Perfetto => Some("Open it at https://ui.perfetto.dev"),
        Target::Speedscope => Some("Open it at https://www.speedscope.app"),
        Target::Chrome => Some("Open it in chrome://tracing or at https://ui.perfetto.dev"),
        Target::Otf2 => Some("Open its traces.otf2"),
        Target::Folded | Target::Csv | Target::PerfScript | Target::Parquet | Target::Arrow => None,
    }
}

/// Whether the file is no text.
pub fn is_binary(target: Target) -> bool {
    target == Target::Perfetto
}

/// Whether the format can be made smaller.
pub fn has_size(target: Target) -> bool {
    matches!(target, Target::Perfetto | Target::Speedscope)
}

/// Whether the format is a folder of files.
pub fn is_folder(target: Target) -> bool {
    target == Target::Otf2 || tables(target).is_some()
}

fn tables(target: Target) -> Option<Kind> {
    match target {
        Target::Parquet => Some(Kind::Parquet),
        Target::Arrow => Some(Kind::Arrow),
        _ => None,
    }
}

/// Whether a folder has nothing but what an export in this format makes.
pub fn made(target: Target, folder: &Path) -> bool {
    let is_ours = |name: &OsStr| match target {
        Target::Otf2 => ferromp_otf2::ENTRIES.iter().any(|entry| name == *entry),
        _ => ferromp_tables::TABLES.iter().any(|table| name == table.name),
    };
    let entries = |folder| std::fs::read_dir(folder).ok().into_iter().flatten().flatten();
    is_folder(target) && entries(folder).next().is_some() && entries(folder).all(|entry| is_ours(&entry.file_name()))
}

/// The writer of a format that is a folder, which exists and is empty. `name` is what the folder will be called.
///
/// # Errors
/// If the format does not have what is asked for.
pub fn folder_writer(
    (target, of): (Target, Option<Of>),
    folder: &Path,
    name: &Path,
) -> Result<Box<dyn Format>, Failure> {
    match (tables(target), of) {
        (None, None) if target == Target::Otf2 => {
            // The folder has another name until it is complete.
            let failed = |error| written(error, name);
            Ok(Box::new(ferromp_otf2::Writer::new(folder).map_err(failed)?))
        }
        (Some(kind), None) => Ok(Box::new(ferromp_tables::Writer::new(folder, kind))),
        _ => Err(Failure::new(NO_CHOICE)),
    }
}

/// The writer of a format that is a file, of `most` bytes at most, for so many traces. `name` is the file's, for
/// errors. What a format has to put aside lies in the same folder.
///
/// # Errors
/// If the format does not have what is asked for, or if nothing can be written.
pub fn writer<'a>(
    (target, of): (Target, Option<Of>),
    (most, traces): (Option<u64>, usize),
    out: &'a mut dyn Write,
    name: &Path,
) -> Result<Box<dyn Format + 'a>, Failure> {
    let failed = |error| written(error, name);
    let budget = |bytes| Budget { bytes, traces: traces as u64 };
    Ok(match (target, of) {
        (Target::Folded, of) => Box::new(folded::Writer::new(
            out,
            match of {
                None | Some(Of::Samples) => folded::Of::Samples,
                Some(Of::Waits) => folded::Of::Waits,
                Some(Of::Intervals) => folded::Of::Intervals,
            },
        )),
        (Target::Speedscope, None | Some(Of::Intervals)) => {
            let scratch = scratch(name)?;
            let budget = budget(most.unwrap_or(speedscope::LONGEST));
            Box::new(speedscope::Writer::new(out, speedscope::Of::Intervals, scratch, budget).map_err(failed)?)
        }
        (Target::Speedscope, Some(Of::Samples)) => {
            let scratch = scratch(name)?;
            let budget = budget(most.unwrap_or(speedscope::LONGEST));
            Box::new(speedscope::Writer::new(out, speedscope::Of::Samples, scratch, budget).map_err(failed)?)
        }
        (Target::Speedscope, Some(Of::Waits)) => {
            return Err(Failure::new("--of waits: speedscope shows intervals or samples; --to folded has waits"));
        }
        (_, Some(_)) => return Err(Failure::new(NO_CHOICE)),
        (Target::Parquet | Target::Arrow | Target::Otf2, None) => {
            return Err(Failure::new("a folder cannot be written to a file"));
        }
        (Target::Perfetto, None) => Box::new(perfetto::Writer::new(out, most.map(budget))),
        (Target::Csv, None) => Box::new(csv::Writer::new(out).map_err(failed)?),
        (Target::Chrome, None) => Box::new(chrome::Writer::new(out, chrome::LONGEST).map_err(failed)?),
        (Target::PerfScript, None) => Box::new(perf_script::Writer::new(out)),
    })
}

/// An error of a format, which does not know the name of its file.
pub fn written(error: ferromp_trace::Error, name: &Path) -> Failure {
    match error {
        ferromp_trace::Error::Io { source, .. } => Failure::file("write", name, &source),
        other => report::failure(other),
    }
}

/// A file without a name beside the file `name`.
fn scratch(name: &Path) -> Result<std::fs::File, Failure> {
    let beside = name.parent().filter(|folder| !folder.as_os_str().is_empty());
    let made = match beside {
        Some(folder) => tempfile::tempfile_in(folder),
        None => tempfile::tempfile_in("."),
    };
    // Where the output goes to stdout, the folder may be one that nobody may write to.
    made.or_else(|_| tempfile::tempfile()).map_err(|error| Failure::file("write", name, &error))
}
