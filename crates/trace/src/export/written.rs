//! What all formats have in common: traces are added one after the other, and what was written is counted.

use crate::reader::Trace;
use crate::symbols::Symbolizer;
use crate::{Error, Progress};
use std::io::{Result, Write};

/// An export under way.
pub trait Format {
    /// Adds a trace, such as a rank of a run: the part that is selected in it. `progress` gets the bytes read.
    ///
    /// # Errors
    /// If the export cannot be written, or the trace has nothing that the format could show.
    fn add(
        &mut self,
        trace: &Trace,
        symbols: &mut Symbolizer,
        progress: Progress<'_>,
    ) -> std::result::Result<(), Error>;

    /// Writes what is left.
    ///
    /// # Errors
    /// If the export cannot be written.
    fn finish(self: Box<Self>) -> std::result::Result<Written, Error>;
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// Bytes in all.
    pub bytes: u64,
    /// How many of what, in words: `(12, "slices")`.
    pub parts: Vec<(u64, &'static str)>,
    /// What was done to keep to a size, in a line.
    pub note: Option<String>,
}

/// How many bytes an export may have, and how many traces share them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Bytes in all.
    pub bytes: u64,
    /// Traces that are still to be added.
    pub traces: u64,
}

impl Budget {
    /// The bytes that the next trace may have, after those that are `used`. What one trace leaves is the next one's.
    pub fn share(&mut self, used: u64) -> u64 {
        let share = self.bytes.saturating_sub(used) / self.traces.max(1);
        self.traces = self.traces.saturating_sub(1);
        share
    }
}

/// Ends a walk: the export gets larger than it may.
pub fn too_large() -> std::io::Error {
    std::io::ErrorKind::FileTooLarge.into()
}

/// Whether an error is [`too_large`]'s, and not the system's.
pub fn is_too_large(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::FileTooLarge && error.raw_os_error().is_none()
}

/// Takes at most so many bytes, and keeps none of them.
pub struct Measured {
    /// Bytes that are left.
    pub left: u64,
}

impl Write for Measured {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.left = self.left.checked_sub(bytes.len() as u64).ok_or_else(too_large)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Counts the bytes on their way.
pub struct Counted<'a> {
    out: &'a mut dyn Write,
    /// Bytes so far.
    pub bytes: u64,
}

impl<'a> Counted<'a> {
    /// Nothing yet.
    pub fn new(out: &'a mut dyn Write) -> Counted<'a> {
        Counted { out, bytes: 0 }
    }
}

impl Write for Counted<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}
