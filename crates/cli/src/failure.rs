//! What went wrong, as the one line that the user reads, and the exit status that scripts read.
//! The statuses follow `env`, `timeout` and `nohup`, so that a wrapped program's own status stays recognisable.

/// ferromp itself failed: wrong usage, a folder that exists, a damaged trace, a full disk.
pub const FAILED: u8 = 125;
/// The program was found and cannot be executed.
pub const NOT_EXECUTABLE: u8 = 126;
/// The program was not found.
pub const NOT_FOUND: u8 = 127;
/// `ferromp diff` found something that got slower by more than is allowed.
pub const SLOWER: u8 = 1;
/// `ferromp doctor` found something that keeps ferromp from the program.
pub const NOT_WELL: u8 = 1;

/// One failure: the exit status and the line, without the `ferromp: ` in front.
#[derive(Debug)]
pub struct Failure {
    /// The status that the process exits with.
    pub status: u8,
    /// The line. It names the culprit and, if there is one, the way out.
    pub line: String,
}

impl Failure {
    /// A failure of ferromp itself, status [`FAILED`].
    pub fn new(line: impl Into<String>) -> Self {
        Self { status: FAILED, line: line.into() }
    }

    /// A failure with another status.
    pub fn with_status(status: u8, line: impl Into<String>) -> Self {
        Self { status, line: line.into() }
    }

    /// A file could not be read, written or made; `doing` is a verb as in "cannot write".
    pub fn file(doing: &str, path: &std::path::Path, error: &std::io::Error) -> Self {
        Self::new(format!("cannot {doing} {}: {}", path.display(), reason(error)))
    }
}

/// The system's own words for an error, without Rust's "(os error 28)".
pub fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.find(" (os error") {
        Some(end) => lower_first(&text[..end]),
        None => lower_first(&text),
    }
}

/// "No space left on device" reads better inside a line with a small letter. Abbreviations such as OTF2 stay.
fn lower_first(text: &str) -> String {
    let mut letters = text.chars();
    let (first, second) = (letters.next(), letters.clone().next());
    match first {
        Some(_) if second.is_some_and(char::is_uppercase) => text.to_owned(),
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_systems_words_lose_their_number() {
        let full = std::io::Error::from_raw_os_error(libc::ENOSPC);
        assert_eq!(reason(&full), "no space left on device");
    }
}
