//! Traces in the Open Trace Format 2 (OTF2), which Vampir, Scalasca, TAU and others read. The files are written by the
//! system's own library, `libopen-trace-format2.so.10` or `libotf2.so.10`, which is loaded when it is first needed.
//!
//! Threads are locations, and so are the lanes of a device's kernels and copies. Slices are regions that are entered
//! and left. Fork and join, teams, tasks and locks are the events that OTF2 has for them. A task that changes its
//! thread is followed by the switches of both threads.

mod archive;
mod definitions;
mod events;
mod library;
mod locks;
mod memory;
mod roles;
mod tasks;

use archive::Archive;
use definitions::Definitions;
use ferromp_trace::Progress;
use ferromp_trace::export::{Format, Written};
use ferromp_trace::reader::Trace;
use ferromp_trace::symbols::Symbolizer;
use std::path::{Path, PathBuf};

/// The result of what can fail with an error that names the trace or the folder.
type Result<T> = std::result::Result<T, ferromp_trace::Error>;

/// The names of what an archive consists of.
pub const ENTRIES: [&str; 3] = ["traces.otf2", "traces.def", "traces"];

/// Writes traces to one archive.
pub struct Writer {
    folder: PathBuf,
    archive: Archive,
    definitions: Definitions,
    events: u64,
}

impl Writer {
    /// Into a folder, which exists and is empty.
    ///
    /// # Errors
    /// If the library cannot be loaded, or does not accept the folder. The error says why in one line.
    pub fn new(folder: &Path) -> Result<Writer> {
        let failed = |source| ferromp_trace::Error::Io { path: folder.to_owned(), source };
        let archive = Archive::create(folder).map_err(failed)?;
        Ok(Writer { folder: folder.to_owned(), archive, definitions: Definitions::default(), events: 0 })
    }

    fn io(&self, source: std::io::Error) -> ferromp_trace::Error {
        ferromp_trace::Error::Io { path: self.folder.clone(), source }
    }
}

impl Format for Writer {
    fn add(&mut self, trace: &Trace, symbols: &mut Symbolizer, progress: Progress<'_>) -> Result<()> {
        let events = events::write(trace, symbols, &self.archive, &mut self.definitions, progress);
        self.events += events.map_err(|error| self.io(error))?;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Written> {
        let locations = self.definitions.locations();
        let closed = self.archive.close(&self.definitions).and_then(|()| bytes(&self.folder));
        let bytes = closed.map_err(|error| self.io(error))?;
        Ok(Written { bytes, parts: vec![(locations, "locations"), (self.events, "events")], note: None })
    }
}

/// The bytes of all files in a folder.
fn bytes(folder: &Path) -> std::io::Result<u64> {
    let mut sum = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        sum += if entry.file_type()?.is_dir() { bytes(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(sum)
}
