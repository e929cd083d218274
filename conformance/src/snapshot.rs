//! Reads, compares and writes the files under `events/` that pin event sequences. A file is one listing for clang and
//! gcc together. A mark shows that only one compiler's program has the line. If only gcc's line table differs, its text
//! stands at the end of the line.

use std::fmt::Write;

use crate::sequence::ThreadEvents;

/// The marks in front of a line: for both compilers, for clang only, for gcc only.
const MARKS: [char; 3] = [' ', 'c', 'g'];

/// What precedes a line's code address.
const AT: &str = " at ";
/// What precedes the code address of gcc's program, where it is called otherwise.
const GCC_AT: &str = " | gcc at ";

/// A file's text in parts.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The remarks on top, each with its `#`.
    pub remarks: Vec<String>,
    /// Mark and line, in order.
    pub lines: Vec<(char, String)>,
}

impl Snapshot {
    /// Reads a file. The error names the line.
    pub fn parse(text: &str) -> Result<Snapshot, String> {
        let mut snapshot = Snapshot::default();
        for (number, line) in text.lines().enumerate() {
            if line.starts_with('#') {
                snapshot.remarks.push(line.to_owned());
            } else if !line.is_empty() {
                let mark = line.chars().next().filter(|mark| MARKS.contains(mark));
                let rest = mark.and_then(|_| line[1..].strip_prefix(' '));
                let (Some(mark), Some(rest)) = (mark, rest) else {
                    return Err(format!("line {}: `{line}` has no mark", number + 1));
                };
                snapshot.lines.push((mark, rest.to_owned()));
            }
        }
        Ok(snapshot)
    }

    /// The lines of one compiler.
    pub fn of(&self, mark: char) -> Vec<String> {
        let mine = self.lines.iter().filter(|(its, _)| [' ', mark].contains(its));
        mine.map(|(_, line)| match line.split_once(GCC_AT) {
            Some((line, gcc)) if mark == 'g' => format!("{}{AT}{gcc}", without_code(line)),
            Some((line, _)) => line.to_owned(),
            None => line.clone(),
        })
        .collect()
    }

    /// Whether the compilers differ although no remark says why.
    pub fn differs_unexplained(&self) -> bool {
        self.lines.iter().any(|(mark, _)| *mark != ' ')
            && !self.remarks.iter().any(|remark| remark.starts_with("# differ: "))
    }

    /// The listing of both compilers.
    pub fn merge(remarks: Vec<String>, clang: &[String], gcc: &[String]) -> Snapshot {
        let same = |clang: &String, gcc: &String| without_code(clang) == without_code(gcc);
        let line = |(mark, line, other): (usize, &str, &str)| {
            let there = other.strip_prefix(without_code(line)).and_then(|rest| rest.strip_prefix(AT));
            match there.filter(|_| line != other) {
                Some(there) => (MARKS[mark], format!("{line}{GCC_AT}{there}")),
                None => (MARKS[mark], line.to_owned()),
            }
        };
        Snapshot { remarks, lines: common(clang, gcc, same).into_iter().map(line).collect() }
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for remark in &self.remarks {
            writeln!(text, "{remark}").expect("a string grows");
        }
        for (mark, line) in &self.lines {
            if !line.starts_with(' ') {
                text.push('\n');
            }
            writeln!(text, "{mark} {line}").expect("a string grows");
        }
        text
    }
}

/// A line without its code address.
fn without_code(line: &str) -> &str {
    line.split_once(AT).map_or(line, |(before, _)| before)
}

/// A sequence as the lines of a listing: threads, and their events below.
pub fn lines(threads: &[ThreadEvents]) -> Vec<String> {
    threads
        .iter()
        .flat_map(|thread| {
            std::iter::once(thread.name.clone()).chain(thread.events.iter().map(|event| format!("  {event}")))
        })
        .collect()
}

/// The difference between the file and the run: all lines, missing ones with `-`, new ones with `+`.
pub fn difference(wanted: &[String], came: &[String]) -> String {
    let mut text = String::new();
    for (mark, line, _) in common(wanted, came, String::eq) {
        writeln!(text, "{} {line}", [' ', '-', '+'][mark]).expect("a string grows");
    }
    text
}

/// Merges both lists. A common line comes once, as 0, with the second list's form of it. A line of only the first or
/// second list comes as 1 or 2.
fn common<'a>(
    first: &'a [String],
    second: &'a [String],
    same: impl Fn(&String, &String) -> bool,
) -> Vec<(usize, &'a str, &'a str)> {
    let mut longest = vec![vec![0u32; second.len() + 1]; first.len() + 1];
    for i in (0..first.len()).rev() {
        for j in (0..second.len()).rev() {
            longest[i][j] = if same(&first[i], &second[j]) {
                longest[i + 1][j + 1] + 1
            } else {
                longest[i + 1][j].max(longest[i][j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut merged = Vec::new();
    while i < first.len() || j < second.len() {
        if i < first.len() && j < second.len() && same(&first[i], &second[j]) {
            merged.push((0, first[i].as_str(), second[j].as_str()));
            (i, j) = (i + 1, j + 1);
        } else if j == second.len() || (i < first.len() && longest[i + 1][j] >= longest[i][j + 1]) {
            merged.push((1, first[i].as_str(), ""));
            i += 1;
        } else {
            merged.push((2, second[j].as_str(), ""));
            j += 1;
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(lines: &[&str]) -> Vec<String> {
        lines.iter().map(|&line| line.to_owned()).collect()
    }

    #[test]
    fn listing_gives_back_what_each_compiler_brought() {
        let (clang, gcc) =
            (strings(&["thread 0", "  a", "  b at x", "  c"]), strings(&["thread 0", "  b at y", "  d", "  c"]));
        let snapshot = Snapshot::merge(strings(&["# remark"]), &clang, &gcc);
        let text = snapshot.text();
        assert_eq!(text, "# remark\n\n  thread 0\nc   a\n    b at x | gcc at y\ng   d\n    c\n");
        let again = Snapshot::parse(&text).unwrap();
        assert_eq!(again, snapshot);
        assert_eq!(again.of('c'), clang);
        assert_eq!(again.of('g'), gcc);
        assert!(again.differs_unexplained());
        assert!(Snapshot::parse("x no mark\n").is_err());
    }

    #[test]
    fn difference_shows_missing_and_new_lines() {
        assert_eq!(difference(&strings(&["a", "b"]), &strings(&["a", "c"])), "  a\n- b\n+ c\n");
    }
}
