//! Samples as the text that `perf script` prints, for the many tools that read it: a line a sample, then a line a
//! function, the innermost first, then an empty line. The samples of a thread are in the order of time.

use crate::export::frames::{Frame, Frames};
use crate::export::slices::{Details, Open, Title};
use crate::export::walk::{Operation, Visitor, walk};
use crate::export::written::Counted;
use crate::export::{Format, Written};
use crate::reader::{Sample, Trace};
use crate::symbols::Symbolizer;
use crate::{Error, Progress, escape};
use std::io::{Result, Write};

/// Writes traces to one file.
pub struct Writer<'a> {
    out: Counted<'a>,
    samples: u64,
}

impl<'a> Writer<'a> {
    /// To `out`, which should be buffered.
    pub fn new(out: &'a mut dyn Write) -> Writer<'a> {
        Writer { out: Counted::new(out), samples: 0 }
    }
}

impl Format for Writer<'_> {
    fn add(
        &mut self,
        trace: &Trace,
        symbols: &mut Symbolizer,
        progress: Progress<'_>,
    ) -> std::result::Result<(), Error> {
        trace.require_samples()?;
        let period_ns = 1_000_000_000 / u64::from(trace.meta.sample_rate.max(1));
        let mut lines = Lines { trace, frames: Frames::new(symbols), period_ns, to: self };
        walk(trace, &mut lines, progress).map_err(Error::io("(the export)"))
    }

    fn finish(mut self: Box<Self>) -> std::result::Result<Written, Error> {
        self.out.flush().map_err(Error::io("(the export)"))?;
        Ok(Written { bytes: self.out.bytes, parts: vec![(self.samples, "samples")], note: None })
    }
}

/// The samples of one process.
struct Lines<'a, 'b, 'c> {
    trace: &'a Trace,
    frames: Frames<'b>,
    /// The time on a CPU that a sample stands for.
    period_ns: u64,
    to: &'a mut Writer<'c>,
}

impl Visitor for Lines<'_, '_, '_> {
    fn begin(&mut self, _: usize, _: u64, _: Open, _: Title, _: Details) -> Result<()> {
        Ok(())
    }

    fn end(&mut self, _: usize, _: u64) -> Result<()> {
        Ok(())
    }

    fn operation(&mut self, _: Operation) -> Result<()> {
        Ok(())
    }

    fn wants_samples(&self) -> bool {
        true
    }

    fn sample(&mut self, thread: usize, _: u64, sample: &Sample) -> Result<()> {
        let Lines { trace, frames, period_ns, to } = self;
        let (meta, thread) = (&trace.meta, &trace.threads[thread]);
        let name = if thread.name.trim().is_empty() { meta.program_name() } else { &thread.name };
        let now = meta.start_unix_ns.saturating_add(sample.ns);
        let (seconds, ns) = (now / 1_000_000_000, now % 1_000_000_000);
        let (name, pid, tid) = (word(name), meta.pid, thread.tid);
        writeln!(to.out, "{name} {pid}/{tid} {seconds}.{ns:09}: {period_ns} task-clock:u: ")?;
        for frame in frames.of(sample).iter().rev() {
            line(frame, &mut to.out)?;
        }
        writeln!(to.out)?;
        to.samples += 1;
        Ok(())
    }
}

/// An address, the function with the offset in it, and the file that is mapped there.
fn line(frame: &Frame, out: &mut impl Write) -> Result<()> {
    let Frame { function, address, inlined, location } = frame;
    let offset = location.function_offset.filter(|_| !inlined && location.inlined_into.is_empty());
    let offset = offset.map_or_else(String::new, |offset| format!("+{offset:#x}"));
    let module = location.module.as_deref().unwrap_or("[unknown]");
    let module = if *inlined { "inlined" } else { module };
    writeln!(out, "\t{:16x} {}{offset} ({})", address.wrapping_sub(1), escape::line(function), escape::line(module))
}

/// A thread's name as the first word of a line. The words after it are told apart by their digits.
fn word(name: &str) -> String {
    escape::line(name.trim()).replace(char::is_whitespace, "_")
}
