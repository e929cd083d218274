//! Lines that are too wide to stand beside others on a screen.

use proc_macro2::{TokenStream, TokenTree};
use std::collections::BTreeMap;

/// Columns of the widest line, as in `rustfmt.toml`.
pub const WIDEST: usize = 120;

/// The lines of a Rust file that are too wide without their string literals, which cannot always be broken.
pub fn rust(name: &str, text: &str, found: &mut Vec<String>) {
    let mut wide = wide(text).peekable();
    if wide.peek().is_none() {
        return;
    }
    let mut literals = BTreeMap::new();
    if let Ok(tokens) = text.parse() {
        count(tokens, &mut literals);
    }
    for (number, columns) in wide {
        let literal = literals.get(&number).copied().unwrap_or(0);
        if columns.saturating_sub(literal) > WIDEST {
            found.push(format!("{name}:{number}: {columns} columns; {WIDEST} fit"));
        }
    }
}

/// Pages that commands write. A line of theirs is as long as the finding that it shows.
const WRITTEN: [&str; 3] = ["docs/compilers.md", "docs/libomp-19.md", "docs/ompt-events.md"];

/// The lines of a Markdown file that are too wide, but for tables, code, and single words such as addresses.
pub fn markdown(name: &str, text: &str, found: &mut Vec<String>) {
    if WRITTEN.contains(&name) {
        return;
    }
    let mut code = false;
    let mut lines = text.lines();
    let fits: Vec<bool> = lines
        .by_ref()
        .map(|line| {
            let fence = line.trim_start().starts_with("```");
            code ^= fence;
            let words = line.trim_start_matches(['-', '*', '>', ' ']);
            let table = line.trim_start().starts_with('|');
            code || fence || table || line.starts_with("    ") || !words.contains(' ')
        })
        .collect();
    for (number, columns) in wide(text).filter(|(number, _)| !fits[number - 1]) {
        found.push(format!("{name}:{number}: {columns} columns; {WIDEST} fit"));
    }
}

/// The numbers of the lines that are too wide, and their columns.
fn wide(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let columns = text.lines().map(|line| line.chars().count());
    columns.enumerate().map(|(index, columns)| (index + 1, columns)).filter(|(_, columns)| *columns > WIDEST)
}

/// Adds up the columns that string literals take on each line. A literal over several lines takes all of them.
fn count(tokens: TokenStream, columns: &mut BTreeMap<usize, usize>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => count(group.stream(), columns),
            TokenTree::Literal(literal) => {
                let (start, end) = (literal.span().start(), literal.span().end());
                let text = literal.to_string();
                // The text of a doc comment is a literal too, but begins with the comment's mark.
                let comment = literal.span().source_text().is_some_and(|source| source.starts_with('/'));
                if comment || !text.contains('"') {
                    continue;
                }
                if start.line == end.line {
                    let sum = columns.entry(start.line).or_default();
                    *sum = sum.saturating_add(end.column - start.column);
                } else {
                    columns.extend((start.line..=end.line).map(|line| (line, usize::MAX)));
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(check: fn(&str, &str, &mut Vec<String>), text: &str) -> Vec<String> {
        let mut found = Vec::new();
        check("f", text, &mut found);
        found
    }

    #[test]
    fn code_and_comments_are_narrow_and_strings_as_long_as_they_are() {
        let (long, string) = ("x".repeat(121), format!("    f(\"{}\");", "x ".repeat(80)));
        assert_eq!(found(rust, &format!("//! Doc.\nfn {long}() {{}}\n")), ["f:2: 129 columns; 120 fit"]);
        assert_eq!(found(rust, &format!("/// {long}\nfn f() {{}}\n")).len(), 1);
        assert_eq!(found(rust, &format!("// \"{long}\"\n")).len(), 1);
        assert!(found(rust, &format!("fn f() {{\n{string}\n}}\n")).is_empty());
        assert_eq!(found(rust, &format!("fn f() {{\n{string} {long}\n}}\n")).len(), 1);
    }

    #[test]
    fn tables_code_and_addresses_may_be_wide() {
        let words = "word ".repeat(30);
        assert_eq!(found(markdown, &format!("# A\n{words}\n")), ["f:2: 150 columns; 120 fit"]);
        let address = format!("- <https://example.org/{}>", "x".repeat(120));
        assert!(found(markdown, &format!("| {words} |\n```\n{words}\n```\n{address}\n")).is_empty());
    }
}
