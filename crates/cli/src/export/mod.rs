//! `ferromp export`: a trace in another viewer's format.

mod format;

use std::ffi::OsString;
use std::io::{BufWriter, IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};

use ferromp_trace::escape;
use ferromp_trace::export::{Format, Written};
use ferromp_trace::reader::Trace;
use ferromp_trace::store::trimmed::Kept;
use ferromp_trace::symbols::Symbolizer;

use crate::args::ExportArgs;
use crate::failure::{FAILED, Failure};
use crate::part::Part;
use crate::progress::Progress;
use crate::{report, say, whole_file, whole_folder};

/// Converts the traces of a folder into one file or folder, or to stdout. The status says whether all of them could be
/// read.
pub fn perform(args: &ExportArgs) -> Result<u8, Failure> {
    let traces = report::find(&args.folder)?;
    let (what, part, size) = ((args.to, args.of), args.part.part(), (args.max_size, traces.len()));
    if args.max_size.is_some() && !format::has_size(args.to) {
        return Err(Failure::new("--max-size: only perfetto and speedscope can be made smaller"));
    }
    if args.output.as_deref() == Some(Path::new("-")) {
        if format::is_folder(args.to) {
            return Err(Failure::new("the export is a folder of files: name a folder with -o"));
        }
        if format::is_binary(args.to) && stdout().is_terminal() {
            return Err(Failure::new("the exported trace is binary: redirect stdout, or name a file with -o"));
        }
        let (name, mut out) = (Path::new("stdout"), BufWriter::new(stdout().lock()));
        let (written, damaged) = convert(&traces, &part, format::writer(what, size, &mut out, name)?, name)?;
        out.flush().map_err(|error| Failure::file("write", name, &error))?;
        if let Some(note) = written.note {
            say::note(note);
        }
        return Ok(status(damaged));
    }
    let path = match &args.output {
        Some(path) => path.clone(),
        None => default_name(&args.folder, format::ending(args.to))?,
    };
    let (written, damaged) = if format::is_folder(args.to) {
        let fill = |folder: &Path| convert(&traces, &part, format::folder_writer(what, folder, &path)?, &path);
        whole_folder::write(&path, args.force, |folder| format::made(args.to, folder), fill)?
    } else {
        let fill = |out: &mut dyn Write| convert(&traces, &part, format::writer(what, size, out, &path)?, &path);
        whole_file::write(&path, args.force, fill)?
    };
    say::answer(&told(&path, &written, format::viewer(args.to)))?;
    Ok(status(damaged))
}

fn status(damaged: bool) -> u8 {
    if damaged { FAILED } else { 0 }
}

/// What was written, in words.
fn told(path: &Path, written: &Written, viewer: Option<&str>) -> String {
    let mut line = format!("{}: {} bytes", escape::line(&path.to_string_lossy()), written.bytes);
    for (count, what) in &written.parts {
        line += &format!(", {count} {what}");
    }
    line += "\n";
    if let Some(note) = &written.note {
        line += &format!("{note}\n");
    }
    viewer.map_or(line.clone(), |viewer| format!("{line}{viewer}\n"))
}

/// The trace's folder with an ending, beside the folder.
fn default_name(folder: &Path, ending: &str) -> Result<PathBuf, Failure> {
    let full = folder.canonicalize().map_err(|error| Failure::file("find", folder, &error))?;
    let named = match folder.file_name() {
        Some(_) => folder,
        // "." and ".." have no name of their own.
        None => &full,
    };
    let mut name = OsString::from(named.components().collect::<PathBuf>());
    name.push(ending);
    Ok(PathBuf::from(name))
}

/// Adds all traces to a format, one after the other. `name` is for the error line. Returns whether a part of the traces
/// could not be read. A trace that cannot be read at all is named on stderr; if none can be read, this is a failure.
fn convert(
    traces: &[PathBuf],
    part: &Part,
    mut format: Box<dyn Format + '_>,
    name: &Path,
) -> Result<(Written, bool), Failure> {
    let (mut any, mut damaged, mut failed) = (false, false, None);
    for folder in traces {
        let opened = Trace::open(folder).map_err(report::failure).and_then(|mut trace| {
            let mut symbols = Symbolizer::new(&trace.modules);
            part.select(&mut trace, &mut symbols)?;
            Ok((trace, symbols))
        });
        let (trace, mut symbols) = match opened {
            Ok(opened) => opened,
            Err(failure) => {
                if let Some(Failure { line, .. }) = failed.replace(failure) {
                    say::note(line);
                }
                continue;
            }
        };
        if trace.trimmed.as_ref().is_some_and(|trimmed| trimmed.kept == Kept::None) {
            let shown = folder.display();
            return Err(Failure::new(format!("{shown}: a profile keeps no events, so there is nothing to export")));
        }
        any = true;
        let mut progress = Progress::new("exporting");
        let added = format.add(&trace, &mut symbols, &mut |done, total| progress.update(done, total));
        added.map_err(|error| format::written(error, name))?;
        for line in report::damage(&trace, &symbols) {
            damaged = true;
            say::note(format_args!("{}: damaged: {line}; the rest is used", folder.display()));
        }
    }
    match failed {
        Some(failure) if !any => return Err(failure),
        Some(failure) => {
            damaged = true;
            say::note(failure.line);
        }
        None => {}
    }
    Ok((format.finish().map_err(|error| format::written(error, name))?, damaged))
}
