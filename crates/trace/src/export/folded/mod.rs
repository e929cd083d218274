//! Folded stacks, the text that flame graphs are drawn from: one line a stack, its frames separated by semicolons, and
//! a weight. The outermost frame is the process. The constructs follow that the thread was in, and, of samples, the
//! functions.

mod tree;

use crate::export::frames::Frames;
use crate::export::intervals::Intervals;
use crate::export::names::Names;
use crate::export::slices::{Details, Open, Title};
use crate::export::walk::{Operation, Visitor, walk};
use crate::export::written::Counted;
use crate::export::{Format, Written};
use crate::reader::{Sample, Trace};
use crate::symbols::Symbolizer;
use crate::{Error, Progress, Site, escape};
use std::borrow::Cow;
use std::io::{Result, Write};
use std::rc::Rc;
use tree::{ROOT, Tree};

/// What the stacks are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Samples; the weight is their number.
    Samples,
    /// Waiting, by the constructs around it; the weight is nanoseconds, without tasks that the thread ran meanwhile.
    Waits,
    /// All slices, and the operations of devices; the weight is nanoseconds without what is inside.
    Intervals,
}

/// Writes traces to one file.
pub struct Writer<'a> {
    out: Counted<'a>,
    of: Of,
    stacks: u64,
}

impl<'a> Writer<'a> {
    /// To `out`, which should be buffered.
    pub fn new(out: &'a mut dyn Write, of: Of) -> Writer<'a> {
        Writer { out: Counted::new(out), of, stacks: 0 }
    }

    fn write(&mut self, trace: &Trace, symbols: &mut Symbolizer, progress: Progress<'_>) -> Result<()> {
        let threads = trace.threads.len();
        let mut stacks = Stacks {
            of: self.of,
            names: Names::new(symbols),
            texts: Vec::new(),
            tree: Tree::new(frame(&trace.meta.process_name())),
            intervals: Intervals::new(threads),
            nodes: vec![vec![ROOT]; threads],
        };
        walk(trace, &mut stacks, progress)?;
        stacks.tree.each(|frames, weight| {
            self.stacks += 1;
            writeln!(self.out, "{} {weight}", frames.join(";"))
        })
    }
}

impl Format for Writer<'_> {
    fn add(
        &mut self,
        trace: &Trace,
        symbols: &mut Symbolizer,
        progress: Progress<'_>,
    ) -> std::result::Result<(), Error> {
        if self.of == Of::Samples {
            trace.require_samples()?;
        }
        self.write(trace, symbols, progress).map_err(Error::io("(the export)"))
    }

    fn finish(mut self: Box<Self>) -> std::result::Result<Written, Error> {
        self.out.flush().map_err(Error::io("(the export)"))?;
        Ok(Written { bytes: self.out.bytes, parts: vec![(self.stacks, "stacks")], note: None })
    }
}

/// The stacks of one process.
struct Stacks<'a> {
    of: Of,
    names: Names<'a>,
    /// The frame of each name.
    texts: Vec<Rc<str>>,
    tree: Tree,
    intervals: Intervals,
    /// For each thread, the node of the process and of each open slice.
    nodes: Vec<Vec<u32>>,
}

impl Stacks<'_> {
    fn node(&self, thread: usize) -> u32 {
        self.nodes[thread].last().copied().unwrap_or(ROOT)
    }

    /// The frame of a construct. A thread's part in a region is called like the region, so that threads are compared;
    /// in the region itself, the part is no further frame.
    fn slice(&mut self, thread: usize, open: Open, title: &Title) -> Option<Rc<str>> {
        match open {
            Open::Implicit(parallel) if self.encounters(thread, parallel) => None,
            Open::Implicit(_) => Some(self.text("parallel".into(), title.site)),
            _ => Some(self.text(title.name.clone(), title.site)),
        }
    }

    fn text(&mut self, what: Cow<'static, str>, site: Site) -> Rc<str> {
        let name = self.names.name(what, site);
        if name.index == self.texts.len() {
            self.texts.push(frame(&name.text()).into());
        }
        self.texts[name.index].clone()
    }

    fn encounters(&self, thread: usize, parallel: u64) -> bool {
        self.intervals.open(thread).last().is_some_and(|around| around.open == Open::Parallel(parallel))
    }
}

impl Visitor for Stacks<'_> {
    fn begin(&mut self, thread: usize, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        let outer = self.node(thread);
        let node = match self.slice(thread, open, &title) {
            Some(name) => self.tree.child(outer, &name),
            None => outer,
        };
        self.nodes[thread].push(node);
        self.intervals.begin(thread, ns, open, title, details);
        Ok(())
    }

    fn end(&mut self, thread: usize, ns: u64) -> Result<()> {
        let node = self.node(thread);
        let Some(interval) = self.intervals.end(thread, ns) else { return Ok(()) };
        self.nodes[thread].pop();
        if self.of == Of::Intervals || (self.of == Of::Waits && interval.is_wait()) {
            self.tree.add(node, interval.self_ns);
        }
        Ok(())
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
        if self.of == Of::Intervals {
            let device = self.tree.child(ROOT, &format!("device {}", operation.device));
            let name = crate::analysis::operation_name(operation.kind);
            let text = self.text(name, operation.site);
            let node = self.tree.child(device, &text);
            self.tree.add(node, operation.end_ns - operation.begin_ns);
        }
        Ok(())
    }

    fn wants_samples(&self) -> bool {
        self.of == Of::Samples
    }

    fn sample(&mut self, thread: usize, _: u64, sample: &Sample) -> Result<()> {
        let mut node = self.node(thread);
        for function in Frames::new(self.names.symbols()).of(sample) {
            node = self.tree.child(node, &frame(&function.function));
        }
        self.tree.add(node, 1);
        Ok(())
    }
}

/// A name as a frame: it has no semicolon and no line feed.
fn frame(name: &str) -> String {
    escape::line(name).replace(';', "\\x3b")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_frame() {
        assert_eq!(frame("a;b\nc 7"), r"a\x3bb\nc 7");
    }
}
