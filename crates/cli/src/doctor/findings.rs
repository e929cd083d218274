//! What the doctor found, as lines with a label each, and the verdict that becomes the exit status.

use ferromp_trace::escape;

use crate::failure::{Failure, NOT_WELL};
use crate::say;

/// Width of the label column.
const LABEL: usize = 14;

/// The lines that have been collected so far.
#[derive(Default)]
pub struct Findings {
    text: String,
    unwell: bool,
}

impl Findings {
    /// A line with a label. An empty label continues the line above. Line breaks in names are escaped, so that the text
    /// stays one line.
    pub fn line(&mut self, label: &str, line: impl std::fmt::Display) {
        self.text += &format!("{label:<LABEL$}{}\n", escape::line(&line.to_string()));
    }

    /// A line about something that is in the way.
    pub fn trouble(&mut self, label: &str, line: impl std::fmt::Display) {
        self.unwell = true;
        self.line(label, line);
    }

    /// An empty line.
    pub fn gap(&mut self) {
        self.text.push('\n');
    }

    /// Prints all lines; the status says whether there was trouble.
    pub fn conclude(self) -> Result<u8, Failure> {
        say::answer(&self.text)?;
        Ok(if self.unwell { NOT_WELL } else { 0 })
    }
}

/// The first of many items: `a, b, c and 12 more`.
pub fn some_of<T: std::fmt::Display>(items: impl IntoIterator<Item = T>, most: usize) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.len() {
        0 => "none".to_owned(),
        count if count <= most => items.join(", "),
        count => format!("{} and {} more", items[..most].join(", "), count - most),
    }
}

/// `1 function`, `2 functions`.
pub fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_become_a_few() {
        assert_eq!(some_of(["a", "b"], 2), "a, b");
        assert_eq!(some_of(["a", "b", "c"], 2), "a, b and 1 more");
        assert_eq!(some_of([] as [&str; 0], 2), "none");
        assert_eq!(count(1, "module"), "1 module");
        assert_eq!(count(0, "module"), "0 modules");
    }
}
