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
