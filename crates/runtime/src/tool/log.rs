//! The log that `OMP_TOOL_VERBOSE_INIT` asks for (OpenMP 5.1 §6.20): the search for tools, in the words that tool
//! authors know.

use crate::icv::VerboseInit;
use crate::warnings;
use std::fs::OpenOptions;
use std::io::{self, Write};

/// The log, and where it goes.
pub struct Log(Box<dyn Write>);

impl Log {
    /// Opens the log as the setting says. If a file cannot be written, prints a warning and uses standard error.
    pub fn open(setting: Option<&VerboseInit>) -> Log {
        Log(match setting {
            None => Box::new(io::sink()),
            Some(VerboseInit::Stdout) => Box::new(io::stdout()),
            Some(VerboseInit::Stderr) => Box::new(io::stderr()),
            Some(VerboseInit::File(path)) => match OpenOptions::new().create(true).append(true).open(path) {
                Ok(file) => Box::new(file),
                Err(error) => {
                    let path = path.display();
                    let why = format!("cannot write ({error}); using stderr");
                    warnings::warn(&format!("ferromp: OMP_TOOL_VERBOSE_INIT='{path}': {why}\n"));
                    Box::new(io::stderr())
                }
            },
        })
    }

    /// Adds to the log.
    pub fn print(&mut self, text: &str) {
        // A failure of the log has no place to be reported.
        let _ = self.0.write_all(text.as_bytes());
    }
}
