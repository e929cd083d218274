//! `trimmed.json`: what a trace lacks on purpose. It stands beside [`SUMMARY`], which has the sums of the whole run.
//! The process that has followed the recording writes both in the end.

use super::files::{self, Folder};
use crate::Error;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::Path;

/// Name of the file in the trace folder.
pub const FILE: &str = "trimmed.json";
/// Name of the file with the summary of the whole run.
pub const SUMMARY: &str = "summary.whole";
/// The longest file that is read.
const LONGEST: u64 = 1 << 20;

/// The events that a trace has kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kept {
    /// None: it is a profile.
    None,
    /// The newest.
    Newest,
}

/// What a trace lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trimmed {
    /// The events that are there.
    pub kept: Kept,
    /// How long threads waited because the analysis was behind, in nanoseconds.
    pub waited_ns: u64,
    /// Events that were written so late that the sums may be off by a little.
    pub late: u64,
    /// What could not be read while the program ran, one line each.
    pub damage: Vec<String>,
}

impl Trimmed {
    /// Reads the file of a trace folder; none if the trace lacks nothing.
    ///
    /// # Errors
    /// If there is a file that cannot be read.
    pub fn read(dir: &Path) -> Result<Option<Trimmed>, Error> {
        let path = dir.join(FILE);
        let text = match files::read(&path, LONGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::io(path)(error)),
        };
        let trimmed = serde_json::from_slice(&text);
        trimmed.map(Some).map_err(|error| Error::Malformed { path, reason: error.to_string() })
    }

    /// Writes the file as a whole.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Folder) -> Result<(), Error> {
        let text = serde_json::to_vec_pretty(self).expect("the structure has only string keys");
        folder.replace(FILE, &text).map_err(folder.error(FILE))
    }
}
