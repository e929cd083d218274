//! Perfetto's protobuf trace: threads as tracks; regions, implicit tasks, worksharing, waits and tasks as slices; a
//! flow from a task's creation to its execution. A device has tracks of its own, with kernels and copies as slices, and
//! flows from the host's constructs to them. Opens in <https://ui.perfetto.dev>.

mod device;
mod packets;
pub mod schema;

use crate::export::lanes::Lanes;
use crate::export::slices::{Details, Open, Title};
use crate::export::walk::{Operation, Visitor, walk};
use crate::export::{Format, Written};
use crate::reader::Trace;
use crate::symbols::Symbolizer;
use crate::{Error, Progress};
use device::{DEVICE_TID, Process};
pub use packets::Counts;
use packets::Packets;
use schema::{ProcessDescriptor, TYPE_INSTANT, TYPE_SLICE_BEGIN, ThreadDescriptor, TrackDescriptor, TrackEvent};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{Result, Write};

/// Writes traces to one file. Perfetto's format joins traces by writing them one after the other.
pub struct Writer<'a> {
    out: &'a mut dyn Write,
    sum: Counts,
}

impl<'a> Writer<'a> {
    /// To `out`, which should be buffered or a file.
    pub fn new(out: &'a mut dyn Write) -> Writer<'a> {
        Writer { out, sum: Counts::default() }
    }
}

impl Format for Writer<'_> {
    fn add(
        &mut self,
        trace: &Trace,
        symbols: &mut Symbolizer,
        progress: Progress<'_>,
    ) -> std::result::Result<(), Error> {
        let counts = write(trace, symbols, self.out, progress)?;
        self.sum.tracks += counts.tracks;
        self.sum.slices += counts.slices;
        self.sum.flows += counts.flows;
        self.sum.bytes += counts.bytes;
        Ok(())
    }

    fn finish(self: Box<Self>) -> std::result::Result<Written, Error> {
        let Counts { tracks, slices, flows, bytes } = self.sum;
        Ok(Written { bytes, parts: vec![(tracks, "tracks"), (slices, "slices"), (flows, "flows")] })
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
    write_packets(trace, symbols, out, progress).map_err(Error::io("(the export)"))
}

fn write_packets(
    trace: &Trace,
    symbols: &mut Symbolizer,
    out: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Counts> {
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
    let mut to = Tracks { process, tracks, lanes: Lanes::default(), packets };
    walk(trace, &mut to, progress)?;
    while let Some(placed) = to.lanes.left() {
        device::write(&placed, &to.process, &mut to.packets)?;
    }
    to.packets.finish()
}

/// The tracks of a process.
struct Tracks<'a> {
    process: Process,
    /// The track of each thread.
    tracks: Vec<u64>,
    lanes: Lanes,
    packets: Packets<'a>,
}

impl Tracks<'_> {
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

    fn operation(&mut self, operation: Operation) -> Result<()> {
        match self.lanes.add(operation) {
            Some(placed) => device::write(&placed, &self.process, &mut self.packets),
            None => Ok(()),
        }
    }
}
