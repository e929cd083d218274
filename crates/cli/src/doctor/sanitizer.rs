//! Programs with a thread sanitizer: whether the runtime will find Archer. Without Archer the sanitizer takes OpenMP's
//! synchronisation for races.

use std::path::PathBuf;

use super::closure::Closure;
use super::findings::Findings;
use super::search::{Search, expand};
use crate::elf::Elf;

const ARCHER: &str = "libarcher.so";

/// Says for a program with a sanitizer which Archer the runtime will load, or that there is none. Adds no line for
/// other programs.
pub fn examine(closure: &Closure, ferromp: &Elf, findings: &mut Findings) {
    if !closure.files.iter().any(|elf| elf.has_thread_sanitizer) {
        return;
    }
    match archer(closure.subject(), ferromp) {
        Some(file) => {
            findings.line(
                "sanitizer",
                format_args!("thread sanitizer; where no tool is named, ferromp loads {}", file.display()),
            );
        }
        None => {
            findings.line(
                "sanitizer",
                format_args!("thread sanitizer, but {ARCHER} is not to be found: races will be reported"),
            );
            findings.line("", "where there are none; name LLVM's: ferromp run --tool /path/to/libarcher.so");
        }
    }
}

/// The file, by the runtime's own order: beside the runtime, where the loader looks, in the program's run path.
fn archer(program: &Elf, ferromp: &Elf) -> Option<PathBuf> {
    let run_path = if program.runpath.is_empty() { &program.rpath } else { &program.runpath };
    let named = run_path.iter().map(|path| PathBuf::from(expand(path, program)).join(ARCHER));
    std::iter::once(ferromp.path.with_file_name(ARCHER))
        .filter(|file| file.is_file())
        .chain(Search::of_this_machine().find(ARCHER, ferromp, program))
        .chain(named.filter(|file| file.is_file()))
        .next()
}
