//! Which compilers have made the code of constructs: from the debug information, or else from the notes that compilers
//! leave in a file's `.comment` section.

use super::{Symbolizer, map, names};
use crate::Site;
use object::{Object as _, ObjectSection as _};
use std::path::Path;

/// As many constructs are looked at.
const MOST_SITES: usize = 100;
/// As many compilers are named.
const MOST: usize = 3;
/// A compiler's name has at most this many characters.
const LONGEST: usize = 80;
/// As many bytes of a `.comment` section are read.
const NOTES: usize = 1 << 16;

impl Symbolizer {
    /// The compilers of the code that has these constructs, each with its version. With gcc's debug information also
    /// the level of optimization. Empty if nothing is known.
    pub fn compilers(&mut self, sites: impl Iterator<Item = Site>) -> Vec<String> {
        let mut found = Vec::new();
        for site in sites.take(MOST_SITES) {
            let Some(compiler) = self.compiler(site.codeptr.wrapping_sub(1)) else { continue };
            if !found.contains(&compiler) {
                found.push(compiler);
            }
            if found.len() == MOST {
                break;
            }
        }
        found
    }

    /// The compiler of the code at `address`.
    fn compiler(&mut self, address: u64) -> Option<String> {
        let producer = self.find(address).and_then(|(file, address)| file.lines.as_ref()?.producer(address));
        if let Some(producer) = producer {
            return Some(brief(&producer));
        }
        let path = self.modules.find(address)?.path.clone();
        self.comments.entry(path).or_insert_with_key(|path| comment(Path::new(path))).clone()
    }
}

/// The compiler that the notes of a file name. Programs that another compiler has made have gcc's note as well, from
/// the start-up code of the C library.
fn comment(path: &Path) -> Option<String> {
    let file = map(path).ok()?;
    let object = object::File::parse(&*file).ok()?;
    let notes = object.section_by_name(".comment")?.data().ok()?;
    let notes = String::from_utf8_lossy(&notes[..notes.len().min(NOTES)]).into_owned();
    let notes = || notes.split('\0').map(str::trim).filter(|note| !note.is_empty() && !note.starts_with("Linker:"));
    let note = notes().find(|note| !note.starts_with("GCC:")).or_else(|| notes().next())?;
    Some(brief(note))
}

/// A compiler's name and version; of its options, the level of optimization.
fn brief(producer: &str) -> String {
    let mut words: Vec<&str> = producer.split_whitespace().collect();
    let level = words.iter().rposition(|word| word.starts_with("-O")).map(|at| words[at]);
    words.retain(|word| !word.starts_with('-'));
    words.extend(level);
    names::shortened(&words.join(" "), LONGEST).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_left_out_except_for_the_level() {
        let gcc = "GNU C17 12.2.0 -mtune=generic -march=x86-64 -g -O0 -O2 -fopenmp";
        assert_eq!(brief(gcc), "GNU C17 12.2.0 -O2");
        assert_eq!(brief("Debian clang version 19.1.7 (3~deb12u1)"), "Debian clang version 19.1.7 (3~deb12u1)");
        assert!(brief(&"x".repeat(1000)).chars().count() == LONGEST);
    }
}
