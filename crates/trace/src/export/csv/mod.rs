//! The intervals of all threads and the operations of devices as comma-separated values (RFC 4180), one row an
//! interval, in the order of their ends. The first row has the names of the columns.

use crate::analysis::operation_name;
use crate::export::intervals::Intervals;
use crate::export::names::Names;
use crate::export::slices::{Details, Open, Title};
use crate::export::walk::{Operation, Visitor, walk};
use crate::export::written::Counted;
use crate::export::{Format, Written};
use crate::reader::Trace;
use crate::symbols::Symbolizer;
use crate::{Error, Progress, Site};
use std::io::{Result, Write};

/// The columns.
const COLUMNS: [&str; 17] = [
    "process", "rank", "thread", "device", "category", "name", "place", "function", "file", "line", "region", "depth",
    "begin_ns", "end_ns", "self_ns", "number", "amount",
];

/// Writes traces to one file.
pub struct Writer<'a> {
    out: ::csv::Writer<Counted<'a>>,
    intervals: u64,
}

impl<'a> Writer<'a> {
    /// To `out`, which need not be buffered.
    ///
    /// # Errors
    /// If the names of the columns cannot be written.
    pub fn new(out: &'a mut dyn Write) -> std::result::Result<Writer<'a>, Error> {
        let mut out = ::csv::WriterBuilder::new().terminator(::csv::Terminator::CRLF).from_writer(Counted::new(out));
        out.write_record(COLUMNS).map_err(|error| Error::io("(the export)")(error.into()))?;
        Ok(Writer { out, intervals: 0 })
    }
}

impl Format for Writer<'_> {
    fn add(
        &mut self,
        trace: &Trace,
        symbols: &mut Symbolizer,
        progress: Progress<'_>,
    ) -> std::result::Result<(), Error> {
        let mut rows = Rows {
            process: trace.meta.pid.to_string(),
            rank: trace.meta.rank.map_or_else(String::new, |rank| rank.to_string()),
            trace,
            names: Names::new(symbols),
            intervals: Intervals::new(trace.threads.len()),
            to: self,
        };
        walk(trace, &mut rows, progress).map_err(Error::io("(the export)"))
    }

    fn finish(mut self: Box<Self>) -> std::result::Result<Written, Error> {
        self.out.flush().map_err(Error::io("(the export)"))?;
        Ok(Written { bytes: self.out.get_ref().bytes, parts: vec![(self.intervals, "intervals")], note: None })
    }
}

/// The rows of one process.
struct Rows<'a, 'b, 'c> {
    process: String,
    rank: String,
    trace: &'a Trace,
    names: Names<'b>,
    intervals: Intervals,
    to: &'a mut Writer<'c>,
}

/// What a row says besides names: `None` is an empty field.
struct Row {
    thread: Option<u32>,
    device: Option<u64>,
    title: Title,
    region: Site,
    depth: usize,
    times: [u64; 3],
    number: Option<u64>,
    amount: Option<u64>,
}

impl Rows<'_, '_, '_> {
    fn write(&mut self, row: Row) -> Result<()> {
        let name = self.names.of(&row.title);
        let region = self.names.name("".into(), row.region);
        let text = |number: Option<u64>| number.map_or_else(String::new, |number| number.to_string());
        let [begin, end, itself] = row.times.map(|ns| ns.to_string());
        let fields: [&str; COLUMNS.len()] = [
            &self.process,
            &self.rank,
            &text(row.thread.map(u64::from)),
            &text(row.device),
            row.title.category,
            &name.what,
            &name.place,
            name.function(),
            &name.file(),
            &text(name.line().map(u64::from)),
            &region.place,
            &row.depth.to_string(),
            &begin,
            &end,
            &itself,
            &text(row.number),
            &text(row.amount),
        ];
        self.to.intervals += 1;
        Ok(self.to.out.write_record(fields)?)
    }
}

impl Visitor for Rows<'_, '_, '_> {
    fn begin(&mut self, thread: usize, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        self.intervals.begin(thread, ns, open, title, details);
        Ok(())
    }

    fn end(&mut self, thread: usize, ns: u64) -> Result<()> {
        let Some(interval) = self.intervals.end(thread, ns) else { return Ok(()) };
        let of = &self.trace.threads[thread];
        self.write(Row {
            thread: Some(of.number),
            device: of.on_device.map(|on| on.device),
            region: interval.region.map_or(Site::default(), |(_, site)| site),
            depth: interval.depth,
            times: [interval.begin_ns, interval.end_ns, interval.self_ns],
            number: interval.details.flow,
            amount: interval.details.values[0].map(|(_, value)| value),
            title: interval.title,
        })
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
        let Operation { device, begin_ns, end_ns, op, kind, amount, site } = operation;
        self.write(Row {
            thread: None,
            device: Some(device),
            title: Title { name: operation_name(kind), site, category: "device" },
            region: Site::default(),
            depth: 0,
            times: [begin_ns, end_ns, end_ns - begin_ns],
            number: Some(op).filter(|op| *op != 0),
            amount: Some(amount),
        })
    }
}
