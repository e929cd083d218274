//! How a report looks, and which tables it has.

use crate::escape;

/// Rows of a table if no table was asked for by name.
const BRIEF: usize = 8;
/// The width of lines that no terminal limits.
const WIDTH: usize = 120;
/// Reports for narrower terminals have longer lines than these.
const NARROWEST: usize = 40;

/// How the report looks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Use terminal colours.
    pub color: bool,
    /// Longest line, in characters. Tables are laid out for it, and names are shortened to keep to it.
    pub width: usize,
    /// The number of rows of a table; one line sums up the rest. None: all rows, or a few in the brief form.
    pub rows: Option<usize>,
    /// The tables.
    pub choice: Choice,
}

/// Which tables a report has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The first rows of the tables that matter most, and a line that names the others.
    #[default]
    Brief,
    /// All tables that have rows.
    All,
    /// These, by [`Table::name`](super::Table::name).
    Only(Vec<&'static str>),
}

impl Style {
    /// For a file or a pipe.
    pub fn plain() -> Style {
        Style { color: false, width: WIDTH, rows: None, choice: Choice::Brief }
    }

    /// For a terminal of `width` columns.
    pub fn terminal(width: usize) -> Style {
        Style { color: true, width: width.max(NARROWEST), ..Style::plain() }
    }

    /// The most rows that a table may have.
    pub(super) fn most_rows(&self) -> usize {
        self.rows.unwrap_or(if self.choice == Choice::Brief { BRIEF } else { usize::MAX })
    }

    /// Whether the table of this name is asked for, by name or with all others.
    pub fn asks_for(&self, name: &str) -> bool {
        self.shows(name, false, false)
    }

    /// Whether a table is shown, which may be one of the brief form, and may have no rows.
    pub(super) fn shows(&self, name: &str, is_brief: bool, is_empty: bool) -> bool {
        match &self.choice {
            Choice::Brief => is_brief && !is_empty,
            Choice::All => !is_empty,
            Choice::Only(names) => names.contains(&name),
        }
    }

    /// A line that stands above others.
    pub(super) fn title(&self, text: &str) -> String {
        self.painted("1", &escape::line(text)) + "\n"
    }

    /// A line about something that readers have to know.
    pub(super) fn warning(&self, text: &str) -> String {
        self.painted("33", &format!("! {}", escape::line(text))) + "\n"
    }

    /// A line that matters less than those around it. The text is escaped already.
    pub(super) fn faint(&self, text: &str) -> String {
        self.painted("2", text)
    }

    fn painted(&self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
