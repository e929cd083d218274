//! Lines on standard error about what the runtime does not like, and whether they are wanted (`KMP_WARNINGS`,
//! `kmp_set_warnings_on`, `kmp_set_warnings_off`).

use crate::model::atomic::{AtomicU8, Ordering};
use crate::stderr;

/// No line is printed.
const NONE: u8 = 0;
/// Lines on what cannot be used, or cannot be done as asked.
const NECESSARY: u8 = 1;
/// Also those on what is deprecated or overridden.
const ALL: u8 = 2;

/// Which lines are printed. A plain flag.
static WANTED: AtomicU8 = AtomicU8::new(NECESSARY);

/// As the settings or the program say: all lines, none, or those that are necessary.
pub fn set_up(all_or_none: Option<bool>) {
    let wanted = match all_or_none {
        None => NECESSARY,
        Some(true) => ALL,
        Some(false) => NONE,
    };
    WANTED.store(wanted, Ordering::Relaxed);
}

/// Prints a line, `ferromp: …` and an end of line, on what cannot be used or done, and what happens instead.
#[cold]
pub fn warn(line: &str) {
    print_from(NECESSARY, line);
}

/// As [`warn`], the first time that the program comes here. The text, given as to `format!`, has neither the beginning
/// nor the end of the line.
#[macro_export]
macro_rules! warn_once {
    ($($text:tt)*) => {{
        static WARNED: $crate::model::hardware::AtomicBool = $crate::model::hardware::AtomicBool::new(false);
        if !WARNED.swap(true, $crate::model::hardware::Ordering::Relaxed) {
            $crate::warnings::warn(&format!("ferromp: {}", format_args!($($text)*)));
        }
    }};
}

/// Prints a line on what is done as asked but will not always be, or is overridden: where all warnings are wanted.
#[cold]
pub fn remark(line: &str) {
    print_from(ALL, line);
}

/// What the line quotes can neither end it nor give orders to a terminal.
fn print_from(level: u8, line: &str) {
    if WANTED.load(Ordering::Relaxed) >= level {
        stderr::write_stderr(&(without_controls(line.trim_end_matches('\n')) + "\n"));
    }
}

/// A text without characters that would end a line or be orders to a terminal.
pub fn without_controls(text: &str) -> String {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte)) {
        return text.to_owned();
    }
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}
