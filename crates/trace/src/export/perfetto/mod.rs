//! Perfetto's protobuf trace: threads as tracks; regions, implicit tasks, worksharing, waits and tasks as slices; a
//! flow from a task's creation to its execution. A device has tracks of its own, with kernels and copies as slices, and
//! flows from the host's constructs to them. Opens in <https://ui.perfetto.dev>.

mod device;
mod packets;
pub mod schema;
mod track;

use crate::reader::Trace;
use crate::store::Record;
use crate::symbols::Symbolizer;
use crate::{Error, Progress};
use packets::Packets;
use rustc_hash::FxHashMap;
use schema::{ProcessDescriptor, ThreadDescriptor, TrackDescriptor};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write;
use track::Track;

/// What was exported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Tracks of threads.
    pub tracks: u64,
    /// Slices.
    pub slices: u64,
    /// Flows from creation to execution of a task.
    pub flows: u64,
    /// Bytes written.
    pub bytes: u64,
}

/// A parallel region as far as names and ends of slices need it.
struct Region {
    codeptr: u64,
    end: u64,
}

/// Facts about the whole trace that are needed before its events are written.
#[derive(Default)]
struct Known {
    /// By parallel id.
    regions: FxHashMap<u64, Region>,
    /// The code that created a task, by task id.
    tasks: FxHashMap<u64, u64>,
    /// The construct that an operation of a device comes from, by operation.
    operations: FxHashMap<u64, u64>,
}

/// Threads of devices have no system thread id. They get numbers from here on, which are higher than any system thread
/// id.
const DEVICE_TID: i32 = 1 << 29;

/// Progress is reported once in this many events.
const PROGRESS_EVERY: u64 = 1 << 14;

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
) -> Result<Counts, Error> {
    write_packets(trace, symbols, out, progress).map_err(Error::io("(the export)"))
}

fn write_packets(
    trace: &Trace,
    symbols: &mut Symbolizer,
    out: &mut dyn Write,
    progress: Progress<'_>,
) -> std::io::Result<Counts> {
    let end = trace.duration_ns();
    let known = Known::of(trace, end);
    let meta = &trace.meta;
    // Tracks and flows of different processes must differ; so must their sequences.
    let mut hasher = DefaultHasher::new();
    (&meta.hostname, meta.pid, meta.start_unix_ns).hash(&mut hasher);
    let seed = hasher.finish();
    let mut packets = Packets::new(out, symbols, meta.pid.max(1))?;
    let pid = Some(meta.pid as i32);
    packets.track(TrackDescriptor {
        uuid: Some(seed),
        process: Some(ProcessDescriptor { pid, cmdline: meta.argv.clone(), process_name: Some(process_name(meta)) }),
        ..TrackDescriptor::default()
    })?;
    let (total, mut finished) = (trace.bytes(), 0);
    for thread in &trace.threads {
        if let Some(on) = thread.on_device
            && on.thread == 0
        {
            device::write(trace, thread, on.device, seed, &known, &mut packets)?;
            finished += thread.len() as u64;
            continue;
        }
        let uuid = seed.wrapping_add(1 + u64::from(thread.number));
        packets.track(TrackDescriptor {
            uuid: Some(uuid),
            parent_uuid: Some(seed),
            thread: Some(ThreadDescriptor {
                pid,
                tid: Some(thread.on_device.map_or(thread.tid as i32, |_| DEVICE_TID + thread.number as i32)),
                thread_name: Some(format!("OpenMP {} {}", thread.number, thread.name)),
            }),
            ..TrackDescriptor::default()
        })?;
        let mut track = Track::new(uuid, seed, meta.start_unix_ns, &known);
        let mut events = trace.events(thread);
        let mut count = 0u64;
        while let Some(event) = events.next() {
            track.event(event, &mut packets)?;
            count += 1;
            if count.is_multiple_of(PROGRESS_EVERY) {
                progress(finished + events.bytes_read(), total);
            }
        }
        track.finish(end, &mut packets)?;
        finished += thread.len() as u64;
        progress(finished, total);
    }
    packets.finish()
}

fn process_name(meta: &crate::store::Meta) -> String {
    match meta.rank {
        Some(rank) => format!("{} rank {rank}", meta.program_name()),
        None => meta.program_name().to_owned(),
    }
}

impl Known {
    /// Reads all events once.
    fn of(trace: &Trace, end: u64) -> Known {
        let mut known = Known::default();
        // The construct that the thread is in. Operations without an address of their own belong to this construct.
        let mut construct = 0;
        for event in trace.threads.iter().flat_map(|thread| trace.events(thread)) {
            match event.record {
                Record::TargetBegin { codeptr, .. } => construct = codeptr,
                Record::DataOpBegin { op, codeptr, .. } => drop(known.operations.insert(op, codeptr)),
                Record::SubmitBegin { op, .. } => drop(known.operations.insert(op, construct)),
                Record::ParallelBegin { parallel, codeptr, .. } => {
                    known.regions.insert(parallel, Region { codeptr, end });
                }
                Record::ParallelEnd { parallel, .. } => {
                    if let Some(region) = known.regions.get_mut(&parallel) {
                        region.end = event.ns;
                    }
                }
                Record::TaskCreate { task, codeptr, .. } => {
                    known.tasks.insert(task, codeptr);
                }
                _ => {}
            }
        }
        known
    }
}
