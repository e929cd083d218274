//! What the checker found: the violations, and the lines that end the run.

use std::collections::HashMap;
use std::fs::OpenOptions;
use std::io::Write;

/// The exit status of a program whose events violate the specification.
pub const STATUS: i32 = 87;
/// How many violations are written out.
const LINES: usize = 20;
/// How many of one rule, so that one rule does not hide the others.
const LINES_OF_ONE_RULE: usize = 5;

/// The violations so far.
pub struct Report {
    ignored: Vec<String>,
    lines: Vec<String>,
    count: u64,
    count_of_rule: HashMap<&'static str, usize>,
}

impl Report {
    /// An empty report; the rules named in `FERROMP_CHECKER_IGNORE`, separated by commas, are not
    /// checked.
    pub fn new() -> Report {
        let ignored = std::env::var("FERROMP_CHECKER_IGNORE").unwrap_or_default();
        Report {
            ignored: ignored.split(',').map(|rule| rule.trim().to_owned()).collect(),
            lines: Vec::new(),
            count: 0,
            count_of_rule: HashMap::new(),
        }
    }

    /// Notes that a rule was broken.
    pub fn violation(&mut self, rule: &'static str, text: &str) {
        if self.ignored.iter().any(|ignored| ignored == rule) {
            return;
        }
        self.count += 1;
        let of_rule = self.count_of_rule.entry(rule).or_default();
        *of_rule += 1;
        if self.lines.len() < LINES && *of_rule <= LINES_OF_ONE_RULE {
            self.lines.push(format!("ferromp-checker: violation: {rule}: {text}"));
        }
    }

    /// Writes the violations and the closing line to the file named by `FERROMP_CHECKER_OUT`, at
    /// its end (a forked child writes there as well), else to stderr. Ends the process with
    /// [`STATUS`] if there are violations.
    pub fn close(&self, events: u64) {
        let mut text = String::new();
        for line in &self.lines {
            text.push_str(line);
            text.push('\n');
        }
        text.push_str(&format!("ferromp-checker: {events} events, {} violations\n", self.count));
        let file =
            std::env::var_os("FERROMP_CHECKER_OUT").and_then(|path| OpenOptions::new().create(true).append(true).open(path).ok());
        // Nothing can be done, nor told, if neither place takes the text.
        let _ = match file {
            Some(mut file) => file.write_all(text.as_bytes()),
            None => std::io::stderr().write_all(text.as_bytes()),
        };
        if self.count > 0 {
            // SAFETY: flushes the program's own output, which `_exit` would lose; null means all.
            unsafe { libc::fflush(std::ptr::null_mut()) };
            // SAFETY: ends the process; no destructor runs.
            unsafe { libc::_exit(STATUS) };
        }
    }
}
