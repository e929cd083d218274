//! Perfetto's protobuf trace: threads as tracks; regions, implicit tasks, worksharing, waits and tasks as slices; a flow
//! from a task's creation to its execution. Opens in <https://ui.perfetto.dev>.

use crate::reader::Trace;
use crate::symbols::Symbolizer;
use crate::{Error, Progress};
use std::io::Write;

/// Writes `trace` to `out`.
///
/// # Errors
/// If `out` cannot be written.
pub fn write(_trace: &Trace, _symbols: &mut Symbolizer, _out: &mut dyn Write, _progress: Progress<'_>) -> Result<Counts, Error> {
    todo!()
}

/// What was exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tracks of threads.
    pub tracks: u64,
    /// Slices.
    pub slices: u64,
    /// Flows from creation to execution of a task.
    pub flows: u64,
    /// Bytes written.
    pub bytes: u64,
}
