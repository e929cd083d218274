//! The files of one process: one a table. A thread of its own encodes and compresses the rows.

use crate::columns::{Columns, Value};
use crate::schema::TABLES;
use arrow_array::RecordBatch;
use arrow_ipc::writer::FileWriter;
use ferromp_trace::store::files::make_folder;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::io::{BufWriter, Error, Result, Write};
use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread::JoinHandle;

/// So many batches may wait for the thread that writes.
const WAITING: usize = 2;
/// Rows that a reader of Parquet skips or reads together.
const ROW_GROUP: usize = 1 << 18;

/// The format of the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Apache Parquet, compressed with Snappy.
    Parquet,
    /// Apache Arrow's IPC file format, also called Feather version 2; not compressed, so that it can be mapped.
    Arrow,
}

impl Kind {
    /// The ending of files.
    pub fn ending(self) -> &'static str {
        match self {
            Kind::Parquet => "parquet",
            Kind::Arrow => "arrow",
        }
    }
}

/// What was written.
pub struct Done {
    pub bytes: u64,
    pub rows: [u64; TABLES.len()],
}

/// The files of one process.
pub struct Files {
    columns: Vec<Columns>,
    batches: SyncSender<(usize, RecordBatch)>,
    thread: JoinHandle<Result<u64>>,
    rows: [u64; TABLES.len()],
}

impl Files {
    /// Creates the files of the process `pid` in a folder for each table. `number` is the file's name, since processes
    /// of two hosts may have the same id.
    pub fn create(folder: &Path, kind: Kind, pid: u32, number: usize) -> Result<Files> {
        let mut files = Vec::new();
        for table in &TABLES {
            let table_folder = folder.join(table.name);
            let folder = table_folder.join(format!("process={pid}"));
            make_folder(&table_folder)?;
            make_folder(&folder)?;
            let path = folder.join(format!("{number}.{}", kind.ending()));
            files.push(Table::create(kind, File::create_new(path)?, table)?);
        }
        let (batches, taken) = sync_channel::<(usize, RecordBatch)>(WAITING);
        let write = move || {
            for (table, batch) in taken {
                files[table].write(&batch)?;
            }
            files.into_iter().map(Table::finish).sum()
        };
        let thread = std::thread::Builder::new().name("ferromp-tables".to_owned()).spawn(write)?;
        let columns = TABLES.iter().map(Columns::new).collect();
        Ok(Files { columns, batches, thread, rows: [0; TABLES.len()] })
    }

    /// Adds a row to a table.
    pub fn add(&mut self, table: usize, row: &[Value<'_>]) -> Result<()> {
        self.rows[table] += 1;
        self.columns[table].add(row);
        if self.columns[table].is_full() { self.send(table) } else { Ok(()) }
    }

    fn send(&mut self, table: usize) -> Result<()> {
        let batch = self.columns[table].take()?;
        // The thread's own error says more, and comes with its end.
        self.batches.send((table, batch)).map_err(|_| Error::other("the files cannot be written"))
    }

    /// Writes what is left. `rows` is the outcome of adding rows. If that is an error because the thread that writes
    /// has failed, this returns the error of the thread.
    pub fn finish(mut self, rows: Result<()>) -> Result<Done> {
        let sent = rows.and_then(|()| (0..TABLES.len()).try_for_each(|table| self.send(table)));
        let Files { batches, thread, rows, .. } = self;
        drop(batches);
        let bytes = thread.join().map_err(|_| Error::other("the thread that writes has ended"))??;
        sent.map(|()| Done { bytes, rows })
    }
}

/// The file of a table.
enum Table {
    Parquet(Box<ArrowWriter<Counted>>),
    Arrow(Box<FileWriter<Counted>>),
}

impl Table {
    fn create(kind: Kind, file: File, table: &crate::Table) -> Result<Table> {
        let (out, schema) = (Counted { out: BufWriter::new(file), bytes: 0 }, table.schema());
        match kind {
            Kind::Parquet => {
                let properties = WriterProperties::builder()
                    .set_compression(Compression::SNAPPY)
                    .set_max_row_group_row_count(Some(ROW_GROUP))
                    .build();
                let writer = ArrowWriter::try_new(out, schema, Some(properties));
                writer.map(|writer| Table::Parquet(Box::new(writer))).map_err(Error::other)
            }
            Kind::Arrow => {
                let writer = FileWriter::try_new(out, &schema);
                writer.map(|writer| Table::Arrow(Box::new(writer))).map_err(Error::other)
            }
        }
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        match self {
            Table::Parquet(writer) => writer.write(batch).map_err(|error| cause(error.into())),
            Table::Arrow(writer) => writer.write(batch).map_err(|error| cause(error.into())),
        }
    }

    /// Returns the bytes of the file.
    fn finish(self) -> Result<u64> {
        let mut out = match self {
            Table::Parquet(writer) => writer.into_inner().map_err(|error| cause(error.into()))?,
            Table::Arrow(writer) => writer.into_inner().map_err(|error| cause(error.into()))?,
        };
        out.flush()?;
        Ok(out.bytes)
    }
}

/// The system's error that another error stands for.
fn cause(error: Box<dyn std::error::Error + Send + Sync>) -> Error {
    let mut at: Option<&(dyn std::error::Error + 'static)> = Some(&*error);
    while let Some(error) = at {
        if let Some(code) = error.downcast_ref::<Error>().and_then(Error::raw_os_error) {
            return Error::from_raw_os_error(code);
        }
        at = error.source();
    }
    Error::other(error)
}

/// A file that counts its bytes.
struct Counted {
    out: BufWriter<File>,
    bytes: u64,
}

impl Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}
