//! The lines of the source around a place. A source that is newer than the program may have other lines, so it is not
//! shown.

use super::Location;
use crate::escape;
use crate::store::files;
use std::path::Path;

/// A larger file is no source that people read.
const LARGEST: u64 = 16 << 20;
/// The most characters of a line.
const WIDEST: usize = 160;

/// The line of a construct, and the lines before and after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The number of the first line.
    pub first: u32,
    /// The number of the construct's line.
    pub line: u32,
    /// One to three lines, without line feeds. Control characters are spelled out, tabs are spaces, and long lines end
    /// with `…`.
    pub lines: Vec<String>,
}

/// The lines around a place. None if the source is not there, is no regular file, is newer than the module that was
/// made of it, has no such line or is no text.
pub fn excerpt(location: &Location) -> Option<Excerpt> {
    let line = location.line.filter(|line| *line > 0)?;
    let text = source(location)?;
    let first = line.saturating_sub(1).max(1);
    let lines: Vec<String> =
        text.lines().skip(first as usize - 1).take((line - first) as usize + 2).map(shown).collect();
    (lines.len() > (line - first) as usize).then_some(Excerpt { first, line, lines })
}

/// The text of a place's source file; see [`excerpt`] for when there is none.
pub(super) fn source(location: &Location) -> Option<String> {
    let (source, module) = (location.file.as_deref()?, location.module.as_deref().map(Path::new)?);
    if !source.is_absolute() || !module.is_absolute() {
        return None;
    }
    let file = files::open(source).ok()?;
    if file.metadata().ok()?.modified().ok()? > std::fs::metadata(module).ok()?.modified().ok()? {
        return None;
    }
    String::from_utf8(files::read_open(&file, LARGEST).ok()?).ok()
}

fn shown(line: &str) -> String {
    let text = line.trim_end().replace('\t', "    ");
    let cut: String = text.chars().take(WIDEST).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("{}{more}", escape::line(&cut))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, SystemTime};

    fn at(folder: &Path, line: u32) -> Option<Excerpt> {
        excerpt(&Location {
            file: Some(folder.join("a.c")),
            line: Some(line),
            module: Some(folder.join("a").to_str().unwrap().to_owned()),
            ..Location::default()
        })
    }

    #[test]
    fn neighbours_are_shown_and_nothing_acts() {
        let folder = tempfile::tempdir().unwrap();
        let long = "x".repeat(1000);
        std::fs::write(folder.path().join("a.c"), format!("one\n\ttwo\x1b[31m\nthree {long}\nfour")).unwrap();
        std::fs::write(folder.path().join("a"), "the program").unwrap();
        let lines = |line| at(folder.path(), line).map(|excerpt| (excerpt.first, excerpt.lines.len()));
        assert_eq!((lines(1), lines(2), lines(4)), (Some((1, 2)), Some((1, 3)), Some((3, 2))));
        assert_eq!((lines(5), lines(0), lines(u32::MAX)), (None, None, None));
        let excerpt = at(folder.path(), 2).unwrap();
        assert_eq!((excerpt.line, &excerpt.lines[0][..], &excerpt.lines[1][..]), (2, "one", "    two\\x1b[31m"));
        assert!(excerpt.lines[2].ends_with("x…") && excerpt.lines[2].chars().count() == WIDEST + 1);
    }

    #[test]
    fn a_source_that_is_newer_or_no_file_is_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let (source, module) = (folder.path().join("a.c"), folder.path().join("a"));
        std::fs::write(&source, "one\n").unwrap();
        assert_eq!(at(folder.path(), 1), None, "there is no program");
        std::fs::write(&module, "the program").unwrap();
        assert!(at(folder.path(), 1).is_some());
        let later = SystemTime::now() + Duration::from_secs(100);
        std::fs::File::options().append(true).open(&source).unwrap().set_modified(later).unwrap();
        assert_eq!(at(folder.path(), 1), None, "the source has changed since");
        std::fs::remove_file(&source).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &source).unwrap();
        assert_eq!(at(folder.path(), 1), None, "a device");
        std::fs::remove_file(&source).unwrap();
        std::fs::write(&source, b"\xff\xfe\n").unwrap();
        let early = SystemTime::UNIX_EPOCH + Duration::from_secs(1);
        std::fs::File::options().append(true).open(&source).unwrap().set_modified(early).unwrap();
        assert_eq!(at(folder.path(), 1), None, "no text");
    }
}
