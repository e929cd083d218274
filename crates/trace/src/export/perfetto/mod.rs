//! Perfetto's protobuf trace: threads as tracks; regions, implicit tasks, worksharing, waits and tasks as slices; a
//! flow from a task's creation to its execution. A device has tracks of its own, with kernels and copies as slices, and
//! flows from the host's constructs to them. Opens in <https://ui.perfetto.dev>.

mod device;
mod known;
mod packets;
pub mod schema;
mod track;

use crate::export::{shown::Shown, slices};
use crate::reader::Trace;
use crate::site::Functions;
use crate::symbols::Symbolizer;
use crate::{Error, Progress};
use device::DEVICE_TID;
use known::Known;
pub use packets::Counts;
use packets::Packets;
use schema::{ProcessDescriptor, ThreadDescriptor, TrackDescriptor};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write;
use track::Track;

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
    let selection = &trace.selection;
    let edges = selection.edges();
    let end = trace.duration_ns().min(edges.1).max(edges.0);
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
        let mut track = Track { uuid, seed, epoch: meta.start_unix_ns, packets: &mut packets };
        let (mut slices, mut shown, mut functions) = (slices::Track::default(), Shown::default(), Functions::default());
        let mut events = trace.events(thread);
        let mut count = 0u64;
        while let Some(event) = events.next() {
            let site = functions.site(&event.record);
            if event.ns > edges.1 {
                break;
            }
            let when = (edges, event.ns < edges.0);
            slices.event(event, site, &known, &mut shown.only(selection, when, &known, &mut track))?;
            count += 1;
            if count.is_multiple_of(PROGRESS_EVERY) {
                progress(finished + events.bytes_read(), total);
            }
        }
        let when = (edges, false);
        slices.finish(end, &mut shown.only(selection, when, &known, &mut track))?;
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
