//! How a table is laid out for a width. Columns that have nothing but zeros drop out. If the names of the first column
//! have no room beside the numbers, each name gets a line of its own, and its numbers stand below it. If the numbers of
//! a row do not fit into one line either, they flow over several lines, each behind the name of its column.

use super::style::Style;
use crate::escape;
use crate::symbols::{Location, shortened};
use crate::units::{amount, duration, percent};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use std::rc::Rc;

/// Blanks left of the first column.
const INDENT: usize = 2;
/// Blanks left of the numbers that stand below their name.
const DEEPER: usize = 4;
/// Names in the first column may be shortened to this many characters before the rows stack.
const NAME: usize = 40;
/// Texts in other columns may be shortened to this many characters before the numbers flow.
const TEXT: usize = 24;

/// A table before it is laid out.
pub struct Sheet {
    /// Stands above it.
    pub title: String,
    /// The names of the columns.
    pub header: Vec<&'static str>,
    pub rows: Vec<Row>,
    /// Lines below it: what the table leaves out, and what readers have to know.
    pub notes: Vec<String>,
}

/// A row: what it is about, and the other columns.
pub struct Row {
    pub name: Name,
    pub cells: Vec<Cell>,
}

/// What a row is about.
pub enum Name {
    /// A construct or call, and words that follow it, which may be empty.
    Place(Rc<Location>, String),
    /// Something else.
    Text(String),
}

/// One column of a row.
pub enum Cell {
    /// Aligned at its end. A column drops out if all its numbers are zeros.
    Number(String),
    /// Aligned at its begin, and shortened in the middle if need be. A column drops out if all its texts are empty.
    Text(String),
}

impl Cell {
    /// How many there are.
    pub fn count(count: u64) -> Cell {
        Cell::Number(count.to_string())
    }

    /// A time in nanoseconds.
    pub fn time(ns: u64) -> Cell {
        Cell::Number(duration(ns))
    }

    /// A share in percent.
    pub fn share(value: f64) -> Cell {
        Cell::Number(percent(value))
    }

    /// A number of bytes.
    pub fn bytes(bytes: u64) -> Cell {
        Cell::Number(amount(bytes as f64))
    }

    /// Some words; what acts on a terminal is escaped.
    pub fn text(text: &str) -> Cell {
        Cell::Text(escape::line(text).into_owned())
    }

    fn shown(&self) -> &str {
        match self {
            Cell::Number(text) | Cell::Text(text) => text,
        }
    }

    fn says_something(&self) -> bool {
        match self {
            Cell::Number(text) => text.contains(|c: char| ('1'..='9').contains(&c)),
            Cell::Text(text) => !text.is_empty(),
        }
    }

    /// At most `most` characters if it is a text.
    fn within(&self, most: usize) -> String {
        match self {
            Cell::Number(text) => text.clone(),
            Cell::Text(text) => shortened(text, most).into_owned(),
        }
    }
}

impl Name {
    /// The name in at most `width` characters, escaped. The middle is left out if need be, and never the line.
    fn within(&self, width: usize) -> String {
        let text = match self {
            Name::Place(place, what) => place.within(width.saturating_sub(length(what))) + what,
            Name::Text(text) => text.clone(),
        };
        shortened(&escape::line(&text), width).into_owned()
    }

    /// The characters of the name if nothing is shortened but the list of functions that a function is inlined into.
    fn natural(&self) -> usize {
        match self {
            Name::Place(place, what) => length(&place.plain()) + length(what),
            Name::Text(text) => length(text),
        }
    }
}

impl Sheet {
    /// The table in lines of at most `style.width` characters.
    pub fn draw(mut self, style: &Style) -> String {
        self.drop_zeros();
        let mut out: String = wrapped(&self.title, 0, style.width).lines().map(|line| style.title(line)).collect();
        if self.rows.is_empty() {
            self.notes.insert(0, "none".into());
        }
        for line in self.lines(style.width) {
            out += &match line {
                Line::Header(line) => style.faint(&line),
                Line::Row(line) => line,
            };
            out.push('\n');
        }
        for note in &self.notes {
            out += &wrapped(note, INDENT, style.width);
        }
        out
    }

    fn lines(&self, width: usize) -> Vec<Line> {
        if self.rows.is_empty() {
            return Vec::new();
        }
        self.beside(width).or_else(|| self.stacked(width)).unwrap_or_else(|| self.flowing(width))
    }

    fn drop_zeros(&mut self) {
        let keeps = |column: usize| self.rows.iter().any(|row| row.cells[column].says_something());
        let kept: Vec<bool> = (0..self.header.len() - 1).map(keeps).collect();
        let mut keep = std::iter::once(&true).chain(&kept);
        self.header.retain(|_| *keep.next().unwrap_or(&false));
        for row in &mut self.rows {
            let mut keep = kept.iter();
            row.cells.retain(|_| *keep.next().unwrap_or(&false));
        }
    }

    /// The width of each column but the first, if texts have at most `most` characters.
    fn widths(&self, most: usize) -> Vec<usize> {
        let column = |index: usize| {
            let cells = self.rows.iter().map(|row| length(&row.cells[index].within(most)));
            cells.chain([length(self.header[index + 1])]).max().unwrap_or(0)
        };
        (0..self.header.len() - 1).map(column).collect()
    }

    /// One line a row, with the name in front.
    fn beside(&self, width: usize) -> Option<Vec<Line>> {
        let gap = 2;
        let numbers: usize = self.widths(usize::MAX).iter().map(|width| width + gap).sum();
        let room = width.checked_sub(numbers + INDENT)?;
        let wanted = self.rows.iter().map(|row| row.name.natural()).max().unwrap_or(0);
        if room < wanted.min(NAME) {
            return None;
        }
        let rows = self.rows.iter().map(|row| {
            let cells = row.cells.iter().map(|cell| cell.shown().to_owned());
            std::iter::once(row.name.within(room)).chain(cells).collect()
        });
        let mut lines = aligned(&self.header, rows.collect(), &self.alignments(true), INDENT, gap).into_iter();
        let header = lines.next().map(Line::Header);
        Some(header.into_iter().chain(lines.map(Line::Row)).collect())
    }

    /// Two lines a row: the name, and the numbers below it.
    fn stacked(&self, width: usize) -> Option<Vec<Line>> {
        let fits = |(most, gap): &(usize, usize)| {
            let widths = self.widths(*most);
            widths.iter().sum::<usize>() + gap * (widths.len().saturating_sub(1)) + DEEPER <= width
        };
        let (most, gap) = [(usize::MAX, 2), (TEXT, 2), (TEXT, 1)].into_iter().find(fits)?;
        let rows = self.rows.iter().map(|row| row.cells.iter().map(|cell| cell.within(most)).collect());
        let mut numbers = aligned(&self.header[1..], rows.collect(), &self.alignments(false), DEEPER, gap).into_iter();
        let mut lines = vec![Line::Header(format!("{:INDENT$}{}", "", self.header[0]))];
        lines.extend(numbers.next().map(Line::Header));
        for (row, numbers) in self.rows.iter().zip(numbers) {
            lines.push(self.name_line(row, width));
            lines.push(Line::Row(numbers));
        }
        Some(lines)
    }

    /// The name of each row, then as many lines as its numbers need.
    fn flowing(&self, width: usize) -> Vec<Line> {
        let mut lines = Vec::new();
        for row in &self.rows {
            lines.push(self.name_line(row, width));
            let pairs = self.header[1..].iter().zip(&row.cells).filter(|(_, cell)| cell.says_something());
            let pairs: Vec<String> = pairs.map(|(name, cell)| pair(name, cell, width)).collect();
            lines.extend(filled(pairs.iter().map(String::as_str), ", ", DEEPER, width).into_iter().map(Line::Row));
        }
        lines
    }

    fn name_line(&self, row: &Row, width: usize) -> Line {
        Line::Row(format!("{:INDENT$}{}", "", row.name.within(width.saturating_sub(INDENT))))
    }

    fn alignments(&self, with_name: bool) -> Vec<CellAlignment> {
        let first = self.rows.first().map_or(&[][..], |row| &row.cells);
        let cells = first.iter().map(|cell| match cell {
            Cell::Number(_) => CellAlignment::Right,
            Cell::Text(_) => CellAlignment::Left,
        });
        with_name.then_some(CellAlignment::Left).into_iter().chain(cells).collect()
    }
}

/// A number behind the name of its column, short enough for a line of its own.
fn pair(name: &str, cell: &Cell, width: usize) -> String {
    let others = DEEPER + length(name) + ": ".len() + ",".len();
    format!("{name}: {}", cell.within(width.saturating_sub(others)))
}

/// A line of a table.
enum Line {
    Header(String),
    Row(String),
}

/// The lines of a table of aligned columns, the header first, without blanks at their ends.
fn aligned(
    header: &[&str],
    rows: Vec<Vec<String>>,
    alignments: &[CellAlignment],
    indent: usize,
    gap: usize,
) -> Vec<String> {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(header.iter().copied()).add_rows(rows);
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((if index == 0 { indent } else { gap } as u16, 0));
        column.set_cell_alignment(alignments.get(index).copied().unwrap_or(CellAlignment::Left));
    }
    table.lines().map(|line| line.trim_end().to_owned()).collect()
}

/// A text in lines of at most `width` characters that begin with `indent` blanks. A longer word has its own line.
pub fn wrapped(text: &str, indent: usize, width: usize) -> String {
    filled(text.split(' '), " ", indent, width).iter().map(|line| line.clone() + "\n").collect()
}

/// Lines of parts, as many in a line as `width` allows. The separator stays at the end of a line, except for blanks.
fn filled<'a>(parts: impl Iterator<Item = &'a str>, separator: &str, indent: usize, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if length(line) + length(separator) + length(part) < width => {
                *line += separator;
                *line += part;
            }
            last => {
                if let Some(line) = last {
                    *line += separator.trim_end();
                }
                lines.push(format!("{:indent$}{part}", ""));
            }
        }
    }
    lines
}

fn length(text: &str) -> usize {
    text.chars().count()
}
