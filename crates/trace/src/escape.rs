//! Escapes names from outside on their way to a terminal. The names of programs, symbols, files and hosts are
//! untrusted. Control characters are spelled out, so that a name can neither control the terminal nor look like another
//! line.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Escapes one line of text. A line feed is escaped as well.
pub fn line(text: &str) -> Cow<'_, str> {
    replaced(text, acts, spell)
}

/// Escapes several lines of text, and keeps line feeds. Only for texts whose names are escaped already, so that no name
/// adds a line feed.
pub fn lines(text: &str) -> Cow<'_, str> {
    replaced(text, |c| c != '\n' && acts(c), spell)
}

/// Escapes a JSON document, which stays the same document. Its own line feeds are kept; all other control characters
/// are inside strings.
pub fn json(text: &str) -> Cow<'_, str> {
    replaced(
        text,
        |c| c != '\n' && acts(c),
        |out, c| {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        },
    )
}

/// Control characters of both sets, what turns the direction of writing around, and what separates lines.
/// Each has a number of at most four hexadecimal digits.
fn acts(c: char) -> bool {
    let turns = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}')
}

fn spell(out: &mut String, c: char) {
    // A string takes everything.
    let _ = match c {
        '\n' => write!(out, "\\n"),
        '\t' => write!(out, "\\t"),
        '\r' => write!(out, "\\r"),
        c if c.is_ascii() => write!(out, "\\x{:02x}", u32::from(c)),
        c => write!(out, "\\u{{{:x}}}", u32::from(c)),
    };
}

fn replaced(text: &str, which: impl Fn(char) -> bool, with: impl Fn(&mut String, char)) -> Cow<'_, str> {
    if !text.contains(&which) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if which(c) { with(&mut out, c) } else { out.push(c) }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_acts() {
        assert_eq!(
            line("a\x1b]0;t\x07\x1b[31m\n\tb\u{9b}2J\u{202e}c\x7f"),
            r"a\x1b]0;t\x07\x1b[31m\n\tb\u{9b}2J\u{202e}c\x7f"
        );
        assert_eq!(lines("one\ntwo\x1b\n"), "one\ntwo\\x1b\n");
        assert!(matches!(line("Grüße, 世界 \\ %s"), Cow::Borrowed(_)));
    }

    #[test]
    fn documents_stay_the_same() {
        let value = serde_json::json!({ "name": "a\u{9b}31m\x7f\u{2028}\u{202e}b\nc\x1b" });
        let text = serde_json::to_string_pretty(&value).unwrap();
        let escaped = json(&text);
        assert!(!escaped.contains(|c| c != '\n' && acts(c)), "{escaped}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).unwrap(), value);
    }
}
