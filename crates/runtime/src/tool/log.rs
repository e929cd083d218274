//! The log that `OMP_TOOL_VERBOSE_INIT` asks for (OpenMP 5.1 §6.20): the search for tools, in the words that tool
//! authors know.

use crate::icv::VerboseInit;
use crate::warnings;
use std::fs::{File, OpenOptions};
use std::io::Write;

/// Where the log goes.
pub enum Log {
    Silent,
    Stdout,
    Stderr,
    File(File),
}

impl Log {
    /// Opens the log as the setting says. If a file cannot be written, prints a warning and uses standard error.
    pub fn open(setting: Option<&VerboseInit>) -> Log {
        match setting {
            None => Log::Silent,
            Some(VerboseInit::Stdout) => Log::Stdout,
            Some(VerboseInit::Stderr) => Log::Stderr,
            Some(VerboseInit::File(path)) => match OpenOptions::new().create(true).append(true).open(path) {
                Ok(file) => Log::File(file),
                Err(error) => {
                    warnings::warn(&format!(
                        "ferromp: OMP_TOOL_VERBOSE_INIT='{}': cannot write ({error}); using stderr\n",
                        path.display()
                    ));
                    Log::Stderr
                }
            },
        }
    }

    /// Adds to the log.
    pub fn print(&mut self, text: &str) {
        // A failure of the log has no place to be reported.
        let _ = match self {
            Log::Silent => Ok(()),
            Log::Stdout => std::io::stdout().write_all(text.as_bytes()),
            Log::Stderr => std::io::stderr().write_all(text.as_bytes()),
            Log::File(file) => file.write_all(text.as_bytes()),
        };
    }
}
