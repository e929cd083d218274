//! Tables of aligned columns without lines, and numbers in readable units.

use crate::escape;
use crate::symbols::Location;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::rc::Rc;

/// Blanks left of the first column, and around each.
const INDENT: u16 = 2;
const PADDING: u16 = 1;
/// However narrow the terminal, places keep this many characters.
const NARROWEST: usize = 16;

/// A row: a place, what is said of it, and the other columns.
pub struct Row {
    pub place: Rc<Location>,
    /// Follows the place in the first column; may be empty.
    pub what: String,
    pub cells: Vec<String>,
}

/// A table. The first column has places, shortened so that lines fit into `width`; the other columns are right-aligned.
/// The text comes from the program, so its control characters are escaped.
pub fn table(header: &[&str], rows: Vec<Row>, width: usize) -> String {
    let widest = |column: usize| {
        let cells = rows.iter().map(|row| row.cells[column - 1].chars().count());
        cells.max().unwrap_or(0).max(header[column].len())
    };
    let others: usize = (1..header.len()).map(|column| widest(column) + 2 * usize::from(PADDING)).sum();
    let first = width.saturating_sub(others + usize::from(INDENT + PADDING)).max(NARROWEST);
    let rows = rows.into_iter().map(|row| {
        let place = row.place.within(first.saturating_sub(row.what.chars().count())) + &row.what;
        let mut cells = row.cells;
        cells.insert(0, fit(&escape::line(&place), first));
        cells
    });
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().copied());
    table.add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if index == 0 { INDENT } else { PADDING }, PADDING));
        if index > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// A time with three significant digits and its unit: `1.23 s`, `45.6 ms`, `789 us`, `12 ns`.
pub fn duration(ns: u64) -> String {
    let (value, unit) = match ns {
        0..1_000 => return format!("{ns} ns"),
        1_000..1_000_000 => (ns as f64 / 1e3, "us"),
        1_000_000..1_000_000_000 => (ns as f64 / 1e6, "ms"),
        _ => (ns as f64 / 1e9, "s"),
    };
    let decimals = if value < 9.995 { 2 } else { usize::from(value < 99.95) };
    format!("{value:.decimals$} {unit}")
}

/// Bytes with three significant digits and their unit: `12 B`, `3.45 KB`, `678 MB`; a kilobyte has 1000 bytes.
pub fn amount(bytes: f64) -> String {
    let units = ["B", "KB", "MB", "GB", "TB"];
    let mut value = bytes;
    let mut unit = 0;
    while value >= 999.5 && unit + 1 < units.len() {
        value /= 1e3;
        unit += 1;
    }
    let decimals = match value {
        _ if unit == 0 => 0,
        value if value < 9.995 => 2,
        value => usize::from(value < 99.95),
    };
    format!("{value:.decimals$} {}", units[unit])
}

/// A share in percent with one decimal.
pub fn percent(value: f64) -> String {
    format!("{value:.1}")
}

/// A place shortened from its front to `width` characters.
fn fit(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().skip(length + 1 - width).collect();
    format!("…{kept}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_three_digits() {
        let cases = [
            (0, "0 ns"),
            (999, "999 ns"),
            (1_234, "1.23 us"),
            (9_999, "10.0 us"),
            (123_456, "123 us"),
            (45_600_000, "45.6 ms"),
            (999_960_000, "1000 ms"),
            (12_345_678_901, "12.3 s"),
            (123_456_789_012, "123 s"),
        ];
        for (ns, text) in cases {
            assert_eq!(duration(ns), text);
        }
    }

    #[test]
    fn amounts_have_three_digits() {
        let cases = [
            (0.0, "0 B"),
            (999.0, "999 B"),
            (1e3, "1.00 KB"),
            (12_345.0, "12.3 KB"),
            (999_600.0, "1.00 MB"),
            (2e13, "20.0 TB"),
        ];
        for (bytes, text) in cases {
            assert_eq!(amount(bytes), text);
        }
    }

    #[test]
    fn places_keep_their_end() {
        assert_eq!(fit("heat.c:42", 9), "heat.c:42");
        assert_eq!(fit("very/long/heat.c:42", 10), "…heat.c:42");
    }
}
