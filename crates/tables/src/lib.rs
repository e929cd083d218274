//! Traces as tables: a folder of Apache Parquet or Apache Arrow files, which databases and data frames read as they
//! are. Each table has a folder, and each process a folder in that: `intervals/process=4711/0.parquet`. Memory does not
//! grow with the trace. `docs/tables.md` describes the columns.
//!
//! The crate is one of its own because Parquet's and Arrow's crates are large, and only the command needs them.

mod columns;
mod files;
mod rows;
mod schema;
mod tasks;

pub use files::Kind;
pub use schema::{Column, TABLES, Table, Type};

use ferromp_trace::Progress;
use ferromp_trace::export::{Format, Written};
use ferromp_trace::reader::Trace;
use ferromp_trace::symbols::Symbolizer;
use files::Files;
use std::path::{Path, PathBuf};

/// The result of what can fail with an error that names the trace or the folder.
type Result<T> = std::result::Result<T, ferromp_trace::Error>;

/// Writes traces to a folder of tables.
pub struct Writer {
    folder: PathBuf,
    kind: Kind,
    /// Traces so far.
    traces: usize,
    bytes: u64,
    /// Rows of each table.
    rows: [u64; TABLES.len()],
}

impl Writer {
    /// Into a folder, which exists and is empty.
    pub fn new(folder: &Path, kind: Kind) -> Writer {
        Writer { folder: folder.to_owned(), kind, traces: 0, bytes: 0, rows: [0; TABLES.len()] }
    }

    fn io(&self, source: std::io::Error) -> ferromp_trace::Error {
        ferromp_trace::Error::Io { path: self.folder.clone(), source }
    }
}

impl Format for Writer {
    fn add(&mut self, trace: &Trace, symbols: &mut Symbolizer, progress: Progress<'_>) -> Result<()> {
        let done = Files::create(&self.folder, self.kind, trace.meta.pid, self.traces)
            .and_then(|files| rows::write(trace, symbols, files, progress))
            .map_err(|error| self.io(error))?;
        self.traces += 1;
        self.bytes += done.bytes;
        self.rows.iter_mut().zip(done.rows).for_each(|(sum, rows)| *sum += rows);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Written> {
        let parts = self.rows.into_iter().zip(TABLES).map(|(rows, table)| (rows, table.name)).collect();
        Ok(Written { bytes: self.bytes, parts, note: None })
    }
}
