//! Perfetto's protobuf trace: threads as tracks; regions, implicit tasks, worksharing, waits and tasks as slices; a
//! flow from a task's creation to its execution. A device has tracks of its own, with kernels and copies as slices, and
//! flows from the host's constructs to them. Samples and counters have tracks below their thread's. Opens in
//! <https://ui.perfetto.dev>.

mod below;
mod device;
mod packets;
pub mod schema;

use crate::export::lanes::Lanes;
use crate::export::merge::{self, Merged, Merging};
use crate::export::slices::{Details, Open, Title};
use crate::export::walk::{Operation, Visitor, walk};
use crate::export::written::{Measured, is_too_large};
use crate::export::{Budget, Format, Written};
use crate::reader::{Event, Sample, Trace};
use crate::store::Record;
use crate::symbols::Symbolizer;
use crate::units::amount;
use crate::{Error, Progress, Site};
use below::{Below, Of};
use device::{DEVICE_TID, Process};
pub use packets::Counts;
use packets::Packets;
use schema::{ProcessDescriptor, TYPE_INSTANT, TYPE_SLICE_BEGIN, ThreadDescriptor, TrackDescriptor, TrackEvent};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{Error as IoError, Result, Write};

/// Writes traces to one file. Perfetto's format joins traces by writing them one after the other.
pub struct Writer<'a> {
    out: &'a mut dyn Write,
    budget: Option<Budget>,
    sum: Counts,
    merged: Merged,
}

impl<'a> Writer<'a> {
    /// To `out`, which should be buffered or a file. With a budget, short slices are merged until the export is within.
    pub fn new(out: &'a mut dyn Write, budget: Option<Budget>) -> Writer<'a> {
        Writer { out, budget, sum: Counts::default(), merged: Merged::default() }
    }
}

impl Format for Writer<'_> {
    fn add(
        &mut self,
        trace: &Trace,
        symbols: &mut Symbolizer,
        progress: Progress<'_>,
    ) -> std::result::Result<(), Error> {
        let counts = match &mut self.budget {
            None => write(trace, symbols, self.out, progress)?,
            Some(budget) => {
                let most = budget.share(self.sum.bytes);
                let (counts, merged) = write_within(trace, symbols, self.out, most, progress)?;
                self.merged.add(merged);
                counts
            }
        };
        self.sum.tracks += counts.tracks;
        self.sum.slices += counts.slices;
        self.sum.flows += counts.flows;
        self.sum.bytes += counts.bytes;
        Ok(())
    }

    fn finish(self: Box<Self>) -> std::result::Result<Written, Error> {
        let Counts { tracks, slices, flows, bytes } = self.sum;
        Ok(Written {
            bytes,
            parts: vec![(tracks, "tracks"), (slices, "slices"), (flows, "flows")],
            note: self.merged.line(),
        })
    }
}

/// Writes `trace` to `out`, which should be buffered or a file. Times are nanoseconds since 1970.
/// Several traces, such as the ranks of a run, may be written to the same `out`, one after the other.
///
/// # Errors
/// If `out` cannot be written. The error has no path, because `out` has none.
pub fn write(
    trace: &Trace,
    symbols: &mut Symbolizer,
    out: &mut dyn Write,
    progress: Progress<'_>,
) -> std::result::Result<Counts, Error> {
    let written = write_packets(trace, symbols, out, 0, progress).map_err(Error::io("(the export)"))?;
    Ok(written.0)
}

/// As [`write`], and merges short slices as far as it takes for at most `most` bytes. The trace is read once for each
/// limit that is tried, and once to write.
///
/// # Errors
/// As [`write`]; also if not even an export without any short slice is small enough.
pub fn write_within(
    trace: &Trace,
    symbols: &mut Symbolizer,
    out: &mut dyn Write,
    most: u64,
    progress: Progress<'_>,
) -> std::result::Result<(Counts, Merged), Error> {
    let mut within = |progress: Progress<'_>| -> Result<(Counts, Merged)> {
        for shorter_ns in merge::limits() {
            let mut measured = Measured { left: most };
            match write_packets(trace, symbols, &mut measured, shorter_ns, progress) {
                Ok(_) => return write_packets(trace, symbols, out, shorter_ns, progress),
                // Nothing is left to merge.
                Err(error) if is_too_large(&error) && shorter_ns > trace.duration_ns() => break,
                Err(error) if is_too_large(&error) => {}
                Err(error) => return Err(error),
            }
        }
        let limit = amount(most as f64);
        Err(IoError::other(format!(
            "more than {limit} with all slices merged; --from, --until and --region export a part"
        )))
    };
    within(progress).map_err(Error::io("(the export)"))
}

fn write_packets(
    trace: &Trace,
    symbols: &mut Symbolizer,
    out: &mut dyn Write,
    shorter_ns: u64,
    progress: Progress<'_>,
) -> Result<(Counts, Merged)> {
    let meta = &trace.meta;
    // Tracks and flows of different processes must differ; so must their sequences.
    let mut hasher = DefaultHasher::new();
    (&meta.hostname, meta.pid, meta.start_unix_ns).hash(&mut hasher);
    let process = Process { pid: Some(meta.pid as i32), seed: hasher.finish(), epoch: meta.start_unix_ns };
    let mut packets = Packets::new(out, symbols, meta.pid.max(1))?;
    packets.track(TrackDescriptor {
        uuid: Some(process.seed),
        process: Some(ProcessDescriptor {
            pid: process.pid,
            cmdline: meta.argv.clone(),
            process_name: Some(meta.process_name()),
        }),
        ..TrackDescriptor::default()
    })?;
    let mut tracks = Vec::with_capacity(trace.threads.len());
    for thread in &trace.threads {
        let uuid = process.seed.wrapping_add(1 + u64::from(thread.number));
        tracks.push(uuid);
        if thread.on_device.is_some_and(|on| on.thread == 0) {
            continue;
        }
        packets.track(TrackDescriptor {
            uuid: Some(uuid),
            parent_uuid: Some(process.seed),
            thread: Some(ThreadDescriptor {
                pid: process.pid,
                tid: Some(thread.on_device.map_or(thread.tid as i32, |_| DEVICE_TID + thread.number as i32)),
                thread_name: Some(format!("OpenMP {} {}", thread.number, thread.name)),
            }),
            ..TrackDescriptor::default()
        })?;
    }
    let below = vec![Below::default(); tracks.len()];
    let mut to = Tracks { process, tracks, below, counters: &meta.counters, lanes: Lanes::default(), packets };
    let mut merging = Merging::new(&mut to, shorter_ns, trace.threads.len());
    walk(trace, &mut merging, progress)?;
    let merged = merging.finish()?;
    while let Some(placed) = to.lanes.left() {
        device::write(&placed, &to.process, &mut to.packets)?;
    }
    Ok((to.packets.finish()?, merged))
}

/// The tracks of a process.
struct Tracks<'a> {
    process: Process,
    /// The track of each thread.
    tracks: Vec<u64>,
    /// For each thread, the tracks below its own.
    below: Vec<Below>,
    /// The names of the counters.
    counters: &'a [String],
    lanes: Lanes,
    packets: Packets<'a>,
}

impl Tracks<'_> {
    fn of(&self, thread: usize) -> Of {
        Of { seed: self.process.seed, index: thread as u64, track: self.tracks[thread] }
    }

    fn titled(&mut self, thread: usize, ns: u64, kind: i32, title: Title, details: Details) -> Result<()> {
        let annotations = details.values.into_iter().flatten();
        let with = TrackEvent {
            debug_annotations: annotations.map(|(name, value)| self.packets.annotation(name, value)).collect(),
            // Tasks and operations have numbers of their own.
            flow_ids: details.flow.map(|flow| self.process.seed.wrapping_add(flow)).into_iter().collect(),
            ..TrackEvent::default()
        };
        self.packets.titled(self.process.epoch.saturating_add(ns), kind, self.tracks[thread], title, with)
    }
}

impl Visitor for Tracks<'_> {
    fn begin(&mut self, thread: usize, ns: u64, open: Open, title: Title, details: Details) -> Result<()> {
        // A flow begins where a device's operation is requested, and where a task is created.
        self.packets.counts.flows += u64::from(matches!(open, Open::Operation(_)));
        self.titled(thread, ns, TYPE_SLICE_BEGIN, title, details)
    }

    fn end(&mut self, thread: usize, ns: u64) -> Result<()> {
        self.packets.end(self.process.epoch.saturating_add(ns), self.tracks[thread])
    }

    fn instant(&mut self, thread: usize, ns: u64, title: Title, details: Details) -> Result<()> {
        self.packets.counts.flows += u64::from(details.flow.is_some());
        self.titled(thread, ns, TYPE_INSTANT, title, details)
    }

    fn event(&mut self, thread: usize, event: &Event, _: Site) -> Result<()> {
        let Record::Counter { counter, value, share: 1.. } = event.record else { return Ok(()) };
        let counter = usize::try_from(counter).unwrap_or(usize::MAX);
        let Some(name) = self.counters.get(counter) else { return Ok(()) };
        let (of, ns) = (self.of(thread), self.process.epoch.saturating_add(event.ns));
        self.below[thread].count(of, ns, (counter, name), value, &mut self.packets)
    }

    fn wants_samples(&self) -> bool {
        true
    }

    fn sample(&mut self, thread: usize, ns: u64, sample: &Sample) -> Result<()> {
        let (of, ns) = (self.of(thread), self.process.epoch.saturating_add(ns));
        self.below[thread].sample(of, ns, sample, &mut self.packets)
    }

    fn operation(&mut self, operation: Operation) -> Result<()> {
        match self.lanes.add(operation) {
            Some(placed) => device::write(&placed, &self.process, &mut self.packets),
            None => Ok(()),
        }
    }
}
