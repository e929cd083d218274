//! The one error type of the library: what was attempted, on which file, and why it failed.

use std::path::PathBuf;

/// Why a trace could not be read or written. Displays as one line that names the culprit.
#[derive(Debug)]
pub enum Error {
    /// The folder is no trace: it has no `meta.json`, nor has any folder directly in it.
    NotATrace(PathBuf),
    /// A file of the trace says something that this version cannot read.
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The trace lacks something that was asked for.
    Lacks {
        /// The folder of the trace.
        path: PathBuf,
        /// What it lacks, why, and how to get it.
        what: String,
    },
    /// The system refused.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.into();
        move |source| Error::Io { path, source }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::NotATrace(path) => write!(f, "{}: not a ferromp trace (no meta.json in it)", path.display()),
            Error::Malformed { path, reason } => write!(f, "{}: {reason}", path.display()),
            Error::Lacks { path, what } => write!(f, "{}: {what}", path.display()),
            Error::Io { path, source } => write!(f, "{}: {source}", path.display()),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
