//! Text of results on lines that fit.

/// The widest line of a page, but for tables.
const WIDEST: usize = 120;

/// The words on lines that fit.
pub fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut columns = 0;
    for word in text.split_whitespace() {
        let more = word.chars().count() + 1;
        if columns > 0 && columns + more > WIDEST {
            lines.push('\n');
            columns = 0;
        }
        if columns > 0 {
            lines.push(' ');
        }
        lines.push_str(word);
        columns += more;
    }
    lines + "\n"
}

/// A page, with each paragraph [`wrapped`]. Tables stay as they are.
pub fn page(text: &str) -> String {
    let blocks = text.trim_end().split("\n\n").map(|block| match block.trim_start() {
        table if table.starts_with('|') => format!("{}\n", table.trim_end()),
        paragraph => wrapped(paragraph),
    });
    blocks.collect::<Vec<String>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_wrapped_between_words() {
        let text = wrapped(&"word ".repeat(50));
        let widths: Vec<usize> = text.lines().map(str::len).collect();
        assert_eq!((widths, text.ends_with("word\n")), (vec![119, 119, 9], true));
    }

    #[test]
    fn tables_of_a_page_stay_as_they_are() {
        let wide = format!("| {} |", "cell ".repeat(50));
        let text = page(&format!("Two\nlines.\n\n{wide}\n| --- |\n\nThe end.\n"));
        assert_eq!(text, format!("Two lines.\n\n{wide}\n| --- |\n\nThe end.\n"));
    }
}
