//! What `OMP_TOOL_VERBOSE_INIT` asks for (OpenMP 5.1 §6.20): the search for tools, told in the words that tool authors
//! know.

use crate::icv::VerboseInit;
use crate::warnings;
use std::fs::{File, OpenOptions};
use std::io::Write;

/// Where the search is narrated.
pub enum Narration {
    Silent,
    Stdout,
    Stderr,
    File(File),
}

impl Narration {
    /// As the setting says. A file that cannot be written costs a line, and standard error takes its place.
    pub fn open(setting: Option<&VerboseInit>) -> Narration {
        match setting {
            None => Narration::Silent,
            Some(VerboseInit::Stdout) => Narration::Stdout,
            Some(VerboseInit::Stderr) => Narration::Stderr,
            Some(VerboseInit::File(path)) => match OpenOptions::new().create(true).append(true).open(path) {
                Ok(file) => Narration::File(file),
                Err(error) => {
                    warnings::warn(&format!(
                        "ferromp: OMP_TOOL_VERBOSE_INIT='{}': cannot write ({error}); using stderr\n",
                        path.display()
                    ));
                    Narration::Stderr
                }
            },
        }
    }

    /// Adds to the narration.
    pub fn say(&mut self, text: &str) {
        // Nobody is left to tell when the narration itself fails.
        let _ = match self {
            Narration::Silent => Ok(()),
            Narration::Stdout => std::io::stdout().write_all(text.as_bytes()),
            Narration::Stderr => std::io::stderr().write_all(text.as_bytes()),
            Narration::File(file) => file.write_all(text.as_bytes()),
        };
    }
}
