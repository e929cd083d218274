//! The JSON that <https://www.speedscope.app> opens: for each thread, a profile of its slices with their begins and
//! ends, or of its samples. Each lane of a device has a profile as well.

mod spool;

use crate::analysis::operation_name;
use crate::export::frames::Frames;
use crate::export::lanes::{Lanes, Placed};
use crate::export::merge::{self, Merged, Merging};
use crate::export::names::Names;
use crate::export::slices::{Details, Open, Title};
use crate::export::walk::{Operation, Visitor, walk};
use crate::export::written::{Counted, is_too_large, too_large};
use crate::export::{Budget, Format, Written};
use crate::reader::{Sample, Trace};
use crate::symbols::{Location, Symbolizer};
use crate::units::amount;
use crate::{Error, Progress};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use spool::Spool;
use std::fs::File;
use std::io::{Error as IoError, Result, Write};
use std::rc::Rc;

/// Larger files are more than the page opens, in bytes.
pub const LONGEST: u64 = 500_000_000;
/// What a profile takes besides its events, in bytes: some more than names of threads make it.
const AROUND: u64 = 500;
/// What the weight of a sample takes, with its comma, in bytes.
const WEIGHT: u64 = 11;

const SCHEMA: &str = "https://www.speedscope.app/file-format-schema.json";

/// What the profiles are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// Slices: constructs, waits and tasks, with their begins and ends.
    Intervals,
    /// Samples.
    Samples,
}

/// Writes traces to one file.
pub struct Writer<'a> {
    out: Counted<'a>,
    of: Of,
    spool: Spool,
    /// What all profiles refer to, each as JSON.
    frames: Vec<Value>,
    /// The numbers of the frames, by function, file and line.
    numbers: FxHashMap<(String, String, Option<u32>), usize>,
    /// The name of the first process.
    name: String,
    /// The bytes that the frames take.
    frame_bytes: u64,
    profiles: u64,
    items: u64,
    budget: Budget,
    merged: Merged,
}

impl<'a> Writer<'a> {
    /// To `out`, which should be buffered. `scratch` is an empty file for what is not yet in order; nobody needs it
    /// afterwards. Short slices are merged until the export is within the budget.
    ///
    /// # Errors
    /// If the begin of the file cannot be written.
    pub fn new(
        out: &'a mut dyn Write,
        of: Of,
        scratch: File,
        budget: Budget,
    ) -> std::result::Result<Writer<'a>, Error> {
        let mut out = Counted::new(out);
        let exporter = concat!("ferromp@", env!("CARGO_PKG_VERSION"));
        let begin = format!("{{\"$schema\":{},\"exporter\":{},\"profiles\":[", json!(SCHEMA), json!(exporter));
        out.write_all(begin.as_bytes()).map_err(Error::io("(the export)"))?;
        Ok(Writer {
            out,
            of,
            spool: Spool::new(scratch),
            frames: Vec::new(),
            numbers: FxHashMap::default(),
            name: String::new(),
            frame_bytes: 0,
            profiles: 0,
            items: 0,
            budget,
            merged: Merged::default(),
        })
    }

    fn add(&mut self, trace: &Trace, symbols: &mut Symbolizer, progress: Progress<'_>) -> Result<()> {
        if self.profiles == 0 {
            self.name = trace.meta.process_name();
        }
        let room = self.budget.share(self.out.bytes + self.frame_bytes);
        for shorter_ns in merge::limits() {
            match self.add_merged(trace, symbols, (room, shorter_ns), progress) {
                Err(error) if is_too_large(&error) => self.spool.clear(),
                done => return done,
            }
            // Samples are not merged. Slices are merged until nothing is left to merge.
            if self.of == Of::Samples || shorter_ns > trace.duration_ns() {
                break;
            }
        }
        Err(IoError::other(format!(
            "more than {}, which the viewer does not open; --from, --until and --region export a part, and --max-size \
             sets another limit",
            amount(self.budget.bytes as f64)
        )))
    }

    /// Adds a trace with its short slices merged, as profiles of so many bytes at most.
    fn add_merged(
        &mut self,
        trace: &Trace,
        symbols: &mut Symbolizer,
        (room, shorter_ns): (u64, u64),
        progress: Progress<'_>,
    ) -> Result<()> {
        let threads = trace.threads.len();
        let mut process = Process {
            known: Names::new(symbols),
            slices: Vec::new(),
            lanes: Lanes::default(),
            threads,
            open: vec![Vec::new(); threads],
            counts: vec![0; threads],
            names: vec![String::new(); threads],
            room: room.saturating_sub(AROUND * threads as u64) + self.frame_bytes,
            bytes: 0,
            to: self,
        };
        for (name, thread) in process.names.iter_mut().zip(&trace.threads) {
            *name = format!("{} thread {} {}", trace.meta.process_name(), thread.number, thread.name);
        }
        let mut merging = Merging::new(&mut process, shorter_ns, threads);
        walk(trace, &mut merging, progress)?;
        let merged = merging.finish()?;
        while let Some(placed) = process.lanes.left() {
            process.placed(&placed)?;
        }
        let Process { counts, names, .. } = process;
        self.merged.add(merged);
        let (from, to) = trace.selection.edges();
        let end = trace.duration_ns().min(to).max(from);
        let period_ns = 1_000_000_000 / u64::from(trace.meta.sample_rate.max(1));
        for (text, (count, name)) in counts.into_iter().zip(names).enumerate() {
            if count > 0 {
                self.profile(text, count, name.trim(), (from, end), period_ns)?;
            }
        }
        self.spool.clear();
        Ok(())
    }

    /// Writes a profile whose events or samples are spooled.
    fn profile(&mut self, text: usize, count: u64, name: &str, (from, end): (u64, u64), period_ns: u64) -> Result<()> {
        if self.profiles > 0 {
            self.out.write_all(b",")?;
        }
        self.profiles += 1;
        self.items += count;
        let name = json!(name);
        match self.of {
            Of::Intervals => {
                write!(
                    self.out,
                    "\n{{\"type\":\"evented\",\"name\":{name},\"unit\":\"nanoseconds\",\"startValue\":{from},\
                     \"endValue\":{end},\"events\":["
                )?;
                self.spool.copy(text, &mut self.out)?;
                self.out.write_all(b"]}")
            }
            Of::Samples => {
                let length = count.saturating_mul(period_ns);
                write!(
                    self.out,
                    "\n{{\"type\":\"sampled\",\"name\":{name},\"unit\":\"nanoseconds\",\"startValue\":0,\
                     \"endValue\":{length},\"samples\":["
                )?;
                self.spool.copy(text, &mut self.out)?;
                self.out.write_all(b"],\"weights\":[")?;
                for index in 0..count {
                    write!(self.out, "{}{period_ns}", if index == 0 { "" } else { "," })?;
                }
                self.out.write_all(b"]}")
            }
        }
    }

    /// The number of a frame.
    fn frame(&mut self, name: String, location: Option<&Location>) -> usize {
        let file = location.and_then(|location| location.file.as_ref());
        let file = file.map_or_else(String::new, |file| file.to_string_lossy().into_owned());
        let line = location.and_then(|location| location.line);
        let key = (name, file, line);
        if let Some(known) = self.numbers.get(&key) {
            return *known;
        }
        let (name, file, line) = &key;
        let mut frame = json!({ "name": name });
        if !file.is_empty() {
            frame["file"] = file.as_str().into();
        }
        if let Some(line) = line {
            frame["line"] = (*line).into();
        }
        self.frame_bytes += frame.to_string().len() as u64 + 2;
        self.frames.push(frame);
        self.numbers.insert(key, self.frames.len() - 1);
        self.frames.len() - 1
    }

    fn end(&mut self) -> Result<()> {
        self.out.write_all(b"],\n\"shared\":{\"frames\":[")?;
        for (index, frame) in self.frames.iter().enumerate() {
            self.out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
            serde_json::to_writer(&mut self.out, frame)?;
        }
        writeln!(self.out, "]}},\n\"name\":{}}}", json!(self.name))?;
        self.out.flush()
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
        Writer::add(self, trace, symbols, progress).map_err(Error::io("(the export)"))
    }

    fn finish(mut self: Box<Self>) -> std::result::Result<Written, Error> {
        self.end().map_err(Error::io("(the export)"))?;
        let what = if self.of == Of::Samples { "samples" } else { "events" };
        Ok(Written {
            bytes: self.out.bytes,
            parts: vec![(self.profiles, "profiles"), (self.items, what)],
            note: self.merged.line(),
        })
    }
}

/// One process. Texts of the spool are those of the threads, then those of the lanes.
struct Process<'a, 'b, 'c> {
    known: Names<'b>,
    /// The frame of each name of a slice.
    slices: Vec<usize>,
    lanes: Lanes,
    threads: usize,
    /// For each thread, the frames of its open slices.
    open: Vec<Vec<usize>>,
    /// For each text, its events or samples.
    counts: Vec<u64>,
    /// For each text, the name of its profile.
    names: Vec<String>,
    /// The bytes that the items and all frames may take.
    room: u64,
    /// The bytes of the items.
    bytes: u64,
    to: &'a mut Writer<'c>,
}

impl Process<'_, '_, '_> {
    /// Appends an event or a sample to a text.
    fn item(&mut self, text: usize, item: &str) -> Result<()> {
        let separator = if self.counts[text] == 0 { "" } else { "," };
        self.counts[text] += 1;
        let weight = if self.to.of == Of::Samples { WEIGHT } else { 0 };
        self.bytes += (separator.len() + item.len()) as u64 + weight;
        if self.bytes + self.to.frame_bytes > self.room {
            return Err(too_large());
        }
        self.to.spool.append(text, format!("{separator}{item}").as_bytes())
    }

    fn event(&mut self, text: usize, kind: char, frame: usize, ns: u64) -> Result<()> {
        self.item(text, &format!("{{\"type\":\"{kind}\",\"frame\":{frame},\"at\":{ns}}}"))
    }

    fn slice(&mut self, title: &Title) -> usize {
        let name = self.known.of(title);
        if name.index == self.slices.len() {
            self.slices.push(self.to.frame(name.text(), name.location.as_deref()));
        }
        self.slices[name.index]
    }

    fn placed(&mut self, placed: &Placed) -> Result<()> {
        let Placed { index, lane, first, operation } = placed;
        let text = self.threads + index;
        if *first {
            self.counts.push(0);
            self.names.push(lane.name());
        }
        let title = Title { name: operation_name(operation.kind), site: operation.site, category: "device" };
        let frame = self.slice(&title);
        self.event(text, 'O', frame, operation.begin_ns)?;
        self.event(text, 'C', frame, operation.end_ns)
    }
}

impl Visitor for Process<'_, '_, '_> {
    fn begin(&mut self, thread: usize, ns: u64, _: Open, title: Title, _: Details) -> Result<()> {
        if self.to.of == Of::Samples {
            return Ok(());
        }
        let frame = self.slice(&title);
        self.open[thread].push(frame);
        self.event(thread, 'O', frame, ns)
    }

    fn end(&mut self, thread: usize, ns: u64) -> Result<()> {
        match self.open[thread].pop() {
            Some(frame) => self.event(thread, 'C', frame, ns),
            None => Ok(()),
        }
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
        if self.to.of == Of::Samples {
            return Ok(());
        }
        match self.lanes.add(operation) {
            Some(placed) => self.placed(&placed),
            None => Ok(()),
        }
    }

    fn wants_samples(&self) -> bool {
        self.to.of == Of::Samples
    }

    fn sample(&mut self, thread: usize, _: u64, sample: &Sample) -> Result<()> {
        let frames = Frames::new(self.known.symbols()).of(sample);
        let numbers = frames.into_iter().map(|frame| {
            let location: Rc<Location> = frame.location;
            self.to.frame(frame.function, Some(&location)).to_string()
        });
        let stack = numbers.collect::<Vec<String>>().join(",");
        self.item(thread, &format!("[{stack}]"))
    }
}
