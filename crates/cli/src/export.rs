//! `ferromp export`: a trace in another viewer's format.

use std::ffi::OsString;
use std::fs::File;
use std::io::{BufWriter, IsTerminal, Write, stdout};
use std::path::{Path, PathBuf};

use ferromp_trace::export::perfetto::{self, Counts};
use ferromp_trace::reader::Trace;
use ferromp_trace::symbols::Symbolizer;

use crate::args::{ExportArgs, Target};
use crate::failure::Failure;
use crate::progress::Progress;
use crate::{report, say};

/// Converts the traces of a folder into one file, or to stdout.
pub fn perform(args: &ExportArgs) -> Result<u8, Failure> {
    let Target::Perfetto = args.to;
    let traces = report::find(&args.folder)?;
    if args.output.as_deref() == Some(Path::new("-")) {
        if stdout().is_terminal() {
            return Err(Failure::new("the exported trace is binary: redirect stdout, or name a file with -o"));
        }
        convert(&traces, &mut stdout().lock(), Path::new("stdout"))?;
        return Ok(0);
    }
    let path = match &args.output {
        Some(path) => path.clone(),
        None => default_file(&args.folder)?,
    };
    if path.exists() && !args.force {
        return Err(Failure::new(format!("{}: exists already; --force replaces it", path.display())));
    }
    // What is written is seen under its name only when it is whole.
    let partial = with_ending(&path, ".partial");
    let written = write_file(&traces, &partial, &path);
    let counts = written.inspect_err(|_| {
        let _ = std::fs::remove_file(&partial);
    })?;
    let Counts { tracks, slices, flows, bytes } = counts;
    say::answer(&format!(
        "{}: {bytes} bytes, {tracks} tracks, {slices} slices, {flows} flows\nOpen it at https://ui.perfetto.dev\n",
        path.display()
    ))?;
    Ok(0)
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

fn write_file(traces: &[PathBuf], partial: &Path, path: &Path) -> Result<Counts, Failure> {
    let file = File::create(partial).map_err(|error| Failure::file("write", partial, &error))?;
    let counts = convert(traces, &mut BufWriter::new(file), path)?;
    std::fs::rename(partial, path).map_err(|error| Failure::file("write", path, &error))?;
    Ok(counts)
}

/// Writes all traces one behind the other, which is how Perfetto's format joins traces. `name` is for the error line.
fn convert(traces: &[PathBuf], out: &mut dyn Write, name: &Path) -> Result<Counts, Failure> {
    let mut sum = Counts::default();
    for folder in traces {
        let trace = Trace::open(folder).map_err(report::failure)?;
        for line in &trace.damage {
            say::note(format_args!("{}: damaged: {line}; the rest is used", folder.display()));
        }
        let mut symbols = Symbolizer::new(&trace.modules);
        let mut progress = Progress::new("exporting");
        let counts = perfetto::write(&trace, &mut symbols, out, &mut |done, total| progress.update(done, total));
        let counts = counts.map_err(|error| match error {
            ferromp_trace::Error::Io { source, .. } => Failure::file("write", name, &source),
            other => report::failure(other),
        })?;
        sum.tracks += counts.tracks;
        sum.slices += counts.slices;
        sum.flows += counts.flows;
        sum.bytes += counts.bytes;
    }
    out.flush().map_err(|error| Failure::file("write", name, &error))?;
    Ok(sum)
}
