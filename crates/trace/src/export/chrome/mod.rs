//! The JSON of Chrome's trace viewer, which many viewers read, for small traces: slices of threads and devices as
//! begins and ends, and arrows from the creation of tasks to their execution. Viewers hold the whole file as one text,
//! so its size is bounded.

use crate::analysis::operation_name;
use crate::export::lanes::{Lanes, Placed};
use crate::export::names::{Name, Names};
use crate::export::slices::{Details, Open, Title};
use crate::export::walk::{Operation, Visitor, walk};
use crate::export::written::Counted;
use crate::export::{Format, Written};
use crate::reader::Trace;
use crate::symbols::Symbolizer;
use crate::{Error, Progress};
use serde_json::{Map, Value, json};
use std::io::{Error as IoError, Result, Write};

/// The longest text that a page in a browser built on V8 can hold, in bytes.
pub const LONGEST: u64 = (1 << 29) - 24;
/// Lanes of devices have numbers from here on; those of threads are below.
const LANES: u64 = 1 << 32;

/// Writes traces to one file.
pub struct Writer<'a> {
    out: Counted<'a>,
    longest: u64,
    /// When the recording of the first trace began.
    start_unix_ns: Option<u64>,
    events: u64,
    slices: u64,
}

impl<'a> Writer<'a> {
    /// To `out`, which should be buffered. More than `longest` bytes are an error; see [`LONGEST`].
    ///
    /// # Errors
    /// If the begin of the file cannot be written.
    pub fn new(out: &'a mut dyn Write, longest: u64) -> std::result::Result<Writer<'a>, Error> {
        let mut out = Counted::new(out);
        out.write_all(b"{\"displayTimeUnit\":\"ns\",\"traceEvents\":[").map_err(Error::io("(the export)"))?;
        Ok(Writer { out, longest, start_unix_ns: None, events: 0, slices: 0 })
    }

    fn event(&mut self, event: &Value) -> Result<()> {
        self.out.write_all(if self.events == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut self.out, event)?;
        self.events += 1;
        if self.out.bytes > self.longest {
            return Err(IoError::other(format!(
                "more than {} MB, which no viewer of this format opens; --from, --until and --region export a part, \
                 and --to perfetto has no such limit",
                self.longest >> 20
            )));
        }
        Ok(())
    }

    fn add(&mut self, trace: &Trace, symbols: &mut Symbolizer, progress: Progress<'_>) -> Result<()> {
        let meta = &trace.meta;
        let first = *self.start_unix_ns.get_or_insert(meta.start_unix_ns);
        let later_ns = i128::from(meta.start_unix_ns) - i128::from(first);
        let mut process = Process {
            pid: meta.pid,
            later_ns,
            tids: trace.threads.iter().map(|thread| u64::from(thread.number)).collect(),
            names: Names::new(symbols),
            lanes: Lanes::default(),
            to: self,
        };
        process.about("process_name", 0, &meta.process_name())?;
        for thread in trace.threads.iter().filter(|thread| thread.on_device.is_none_or(|on| on.thread != 0)) {
            let name = format!("OpenMP {} {}", thread.number, thread.name);
            process.about("thread_name", u64::from(thread.number), &name)?;
        }
        walk(trace, &mut process, progress)?;
        while let Some(placed) = process.lanes.left() {
            process.placed(&placed)?;
        }
        Ok(())
    }
}

impl Format for Writer<'_> {
    fn add(
        &mut self,
        trace: &Trace,
        symbols: &mut Symbolizer,
        progress: Progress<'_>,
    ) -> std::result::Result<(), Error> {
        Writer::add(self, trace, symbols, progress).map_err(Error::io("(the export)"))
    }

    fn finish(mut self: Box<Self>) -> std::result::Result<Written, Error> {
        let end = self.out.write_all(b"\n]}\n").and_then(|()| self.out.flush());
        end.map_err(Error::io("(the export)"))?;
        let parts = vec![(self.slices, "slices"), (self.events, "events")];
        Ok(Written { bytes: self.out.bytes, parts, note: None })
    }
}

/// One process.
struct Process<'a, 'b, 'c> {
    pid: u32,
    /// How much later its recording began than that of the first one.
    later_ns: i128,
    /// The number of each thread.
    tids: Vec<u64>,
    names: Names<'b>,
    lanes: Lanes,
    to: &'a mut Writer<'c>,
}

impl Process<'_, '_, '_> {
    /// Tells the name of the process or of a thread.
    fn about(&mut self, what: &str, tid: u64, name: &str) -> Result<()> {
        let event = json!({ "ph": "M", "name": what, "pid": self.pid, "tid": tid, "args": { "name": name } });
        self.to.event(&event)
    }

    /// Microseconds, to the nanosecond.
    fn time(&self, ns: u64) -> f64 {
        (i128::from(ns) + self.later_ns) as f64 / 1000.0
    }

    fn event(&mut self, phase: &str, tid: u64, ns: u64) -> Value {
        json!({ "ph": phase, "pid": self.pid, "tid": tid, "ts": self.time(ns) })
    }

    fn titled(&mut self, phase: &str, (tid, ns): (u64, u64), title: &Title, args: Map<String, Value>) -> Result<()> {
        let name = self.names.of(title);
        let mut event = self.event(phase, tid, ns);
        event["name"] = name.text().into();
        event["cat"] = title.category.into();
        event["args"] = about_place(&name, args).into();
        if phase == "i" {
            event["s"] = "t".into();
        }
        self.to.event(&event)
    }

    /// An end of an arrow.
    fn arrow(&mut self, phase: &str, (tid, ns): (u64, u64), flow: u64) -> Result<()> {
        let mut event = self.event(phase, tid, ns);
        event["name"] = "flow".into();
        event["cat"] = "flow".into();
        event["id"] = format!("{}.{flow}", self.pid).into();
        if phase == "f" {
            event["bp"] = "e".into();
        }
        self.to.event(&event)
    }

    fn placed(&mut self, placed: &Placed) -> Result<()> {
        let Placed { index, lane, first, operation } = placed;
        let tid = LANES + *index as u64;
        if *first {
            self.about("thread_name", tid, &lane.name())?;
        }
        let title = Title { name: operation_name(operation.kind), site: operation.site, category: "device" };
        let unit = if lane.kernels { "teams" } else { "bytes" };
        let args = Map::from_iter([(unit.to_owned(), operation.amount.into())]);
        self.titled("B", (tid, operation.begin_ns), &title, args)?;
        if operation.op != 0 {
            self.arrow("f", (tid, operation.begin_ns), operation.op)?;
        }
        self.to.slices += 1;
        let end = self.event("E", tid, operation.end_ns);
        self.to.event(&end)
    }
}

fn about_place(name: &Name, mut args: Map<String, Value>) -> Map<String, Value> {
    let line = name.line().map_or(Value::Null, Value::from);
    let texts = [("function", name.function().into()), ("file", name.file().into_owned().into()), ("line", line)];
    let known = texts.into_iter().filter(|(_, value)| !value.is_null() && value != "");
    args.extend(known.map(|(key, value)| (key.to_owned(), value)));
    args
}

fn args(details: Details) -> Map<String, Value> {
    details.values.into_iter().flatten().map(|(name, value)| (name.to_owned(), value.into())).collect()
}

impl Visitor for Process<'_, '_, '_> {
    fn begin(&mut self, thread: usize, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        let at = (self.tids[thread], ns);
        self.titled("B", at, &title, args(details))?;
        match (open, details.flow) {
            (Open::Operation(_), Some(flow)) => self.arrow("s", at, flow),
            (_, Some(flow)) => self.arrow("f", at, flow),
            (_, None) => Ok(()),
        }
    }

    fn end(&mut self, thread: usize, ns: u64) -> Result<()> {
        self.to.slices += 1;
        let end = self.event("E", self.tids[thread], ns);
        self.to.event(&end)
    }

    fn instant(&mut self, thread: usize, ns: u64, title: Title, details: Details) -> Result<()> {
        let at = (self.tids[thread], ns);
        self.titled("i", at, &title, args(details))?;
        details.flow.map_or(Ok(()), |flow| self.arrow("s", at, flow))
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
        match self.lanes.add(operation) {
            Some(placed) => self.placed(&placed),
            None => Ok(()),
        }
    }
}
