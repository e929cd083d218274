//! `ferromp export`: a trace in another viewer's format.

use std::ffi::OsString;
use std::io::{IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};

use ferromp_trace::escape;
use ferromp_trace::export::perfetto::{self, Counts};
use ferromp_trace::reader::Trace;
use ferromp_trace::store::trimmed::Kept;
use ferromp_trace::symbols::Symbolizer;

use crate::args::{ExportArgs, Target};
use crate::failure::{FAILED, Failure};
use crate::part::Part;
use crate::progress::Progress;
use crate::{report, say, whole_file};

/// Converts the traces of a folder into one file, or to stdout. The status says whether all of them could be read.
pub fn perform(args: &ExportArgs) -> Result<u8, Failure> {
    let Target::Perfetto = args.to;
    let traces = report::find(&args.folder)?;
    if args.output.as_deref() == Some(Path::new("-")) {
        if stdout().is_terminal() {
            return Err(Failure::new("the exported trace is binary: redirect stdout, or name a file with -o"));
        }
        let (_, damaged) = convert(&traces, &args.part.part(), &mut stdout().lock(), Path::new("stdout"))?;
        return Ok(status(damaged));
    }
    let path = match &args.output {
        Some(path) => path.clone(),
        None => default_file(&args.folder)?,
    };
    let (counts, damaged) =
        whole_file::write(&path, args.force, |out| convert(&traces, &args.part.part(), out, &path))?;
    let Counts { tracks, slices, flows, bytes } = counts;
    say::answer(&format!(
        "{}: {bytes} bytes, {tracks} tracks, {slices} slices, {flows} flows\nOpen it at https://ui.perfetto.dev\n",
        escape::line(&path.to_string_lossy())
    ))?;
    Ok(status(damaged))
}

fn status(damaged: bool) -> u8 {
    if damaged { FAILED } else { 0 }
}

/// `<DIR>.perfetto-trace`, beside the folder.
fn default_file(folder: &Path) -> Result<PathBuf, Failure> {
    let full = folder.canonicalize().map_err(|error| Failure::file("find", folder, &error))?;
    let named = match folder.file_name() {
        Some(_) => folder,
        // "." and ".." have no name of their own.
        None => &full,
    };
    Ok(with_ending(&named.components().collect::<PathBuf>(), ".perfetto-trace"))
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(ending);
    PathBuf::from(name)
}

/// Writes all traces one after the other, as Perfetto's format joins traces. `name` is for the error line. Returns
/// whether a part of the traces could not be read. A trace that cannot be read at all is named on stderr; if none can
/// be read, this is a failure.
fn convert(traces: &[PathBuf], part: &Part, out: &mut dyn Write, name: &Path) -> Result<(Counts, bool), Failure> {
    let (mut sum, mut any, mut damaged, mut failed) = (Counts::default(), false, false, None);
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
        let counts = perfetto::write(&trace, &mut symbols, out, &mut |done, total| progress.update(done, total));
        let counts = counts.map_err(|error| match error {
            ferromp_trace::Error::Io { source, .. } => Failure::file("write", name, &source),
            other => report::failure(other),
        })?;
        for line in report::damage(&trace, &symbols) {
            damaged = true;
            say::note(format_args!("{}: damaged: {line}; the rest is used", folder.display()));
        }
        sum.tracks += counts.tracks;
        sum.slices += counts.slices;
        sum.flows += counts.flows;
        sum.bytes += counts.bytes;
    }
    match failed {
        Some(failure) if !any => return Err(failure),
        Some(failure) => {
            damaged = true;
            say::note(failure.line);
        }
        None => {}
    }
    out.flush().map_err(|error| Failure::file("write", name, &error))?;
    Ok((sum, damaged))
}
