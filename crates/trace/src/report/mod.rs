//! A summary as text: aligned tables for a terminal, the same without colour for a file.

mod table;

use crate::analysis::Summary;
use crate::reader::Trace;
use crate::symbols::Symbolizer;

/// How the report looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Use terminal colours.
    pub color: bool,
    /// Longest line; place names are shortened to keep to it.
    pub width: usize,
    /// Rows of a table before the rest is summed up in one line.
    pub rows: usize,
}

impl Style {
    /// For a file or a pipe.
    pub fn plain() -> Style {
        Style { color: false, width: 120, rows: 20 }
    }

    /// For a terminal of `width` columns.
    pub fn terminal(width: usize) -> Style {
        Style { color: true, width: width.max(60), rows: 20 }
    }
}

/// The whole report, several lines, ending with a line feed.
pub fn text(_trace: &Trace, _summary: &Summary, _symbols: &mut Symbolizer, _style: &Style) -> String {
    todo!()
}
