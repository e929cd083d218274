//! What a table of a report is, and what it is made of.

use crate::analysis::Summary;
use crate::reader::Trace;
use crate::report::layout::{Row, Sheet};
use crate::symbols::Symbolizer;
use crate::units::duration;

/// A table of a report.
pub struct Table {
    /// The name, which is also the command's flag.
    pub name: &'static str,
    /// What the table has, for the flag's help.
    pub help: &'static str,
    /// Whether the brief form of the report has its first rows.
    pub(in crate::report) brief: bool,
    /// How many rows the whole table has.
    pub(in crate::report) rows: fn(&Summary) -> usize,
    /// The table with at most so many rows.
    pub(in crate::report) sheet: fn(&mut Source<'_>, usize) -> Sheet,
}

/// What tables are made of.
pub struct Source<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// What the trace amounts to.
    pub summary: &'a Summary,
    /// The names of places.
    pub symbols: &'a mut Symbolizer,
}

/// The rows of the first `most` items, and a line about those that are left out: their number and their time.
pub fn listed<T>(
    items: &[T],
    most: usize,
    table: &Table,
    row: impl FnMut(&T) -> Row,
    time: impl Fn(&T) -> u64,
) -> (Vec<Row>, Vec<String>) {
    let rows = items.iter().take(most).map(row).collect();
    let left = items.get(most..).unwrap_or_default();
    let sum = left.iter().map(time).fold(0, u64::saturating_add);
    let note = format!("and {} more, with {} together: --{}", left.len(), duration(sum), table.name);
    (rows, (!left.is_empty()).then_some(note).into_iter().collect())
}
