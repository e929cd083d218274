//! Runs that are compared with others: a folder each.

use std::path::Path;

use ferromp_trace::analysis::Summary;
use ferromp_trace::compare::Run;
use ferromp_trace::reader::Trace;
use ferromp_trace::symbols::Symbolizer;

use super::traces::{Summaries, each, find};
use crate::failure::Failure;
use crate::part::Part;

/// A run, and what a function made of each of its traces.
pub struct Read<T> {
    /// The run, called as its folder was given.
    pub run: Run,
    /// One for each trace.
    pub what: Vec<T>,
    /// True if a part of the traces could not be read.
    pub damaged: bool,
}

/// Reads a part of the traces of one folder.
pub fn read<T>(
    folder: &Path,
    part: &Part,
    mut summarise: impl FnMut(&Trace, &Summary, &mut Symbolizer) -> T,
) -> Result<Read<T>, Failure> {
    let mut run = Run::new(folder.display().to_string());
    let add = |trace: &Trace, summary: &Summary, symbols: &mut Symbolizer| {
        run.add(trace, summary, symbols);
        summarise(trace, summary, symbols)
    };
    let Summaries { what, damaged, .. } = each(&find(folder)?, part, add)?;
    Ok(Read { run, what, damaged })
}
