//! A device's own tracks: kernels on one, copies on another. Operations at the same time are on further tracks, because
//! slices of a track must not overlap.

use super::known::Known;
use super::packets::Packets;
use super::schema::{TYPE_SLICE_BEGIN, ThreadDescriptor, TrackDescriptor, TrackEvent};
use crate::analysis::operation_name;
use crate::export::slices::Title;
use crate::reader::{Thread, Trace};
use crate::store::Record;
use std::io::Result;

/// Threads of devices have no system thread id. They get numbers from here on, which are higher than any system thread
/// id.
pub const DEVICE_TID: i32 = 1 << 29;

/// Numbers of tracks start here for devices; those of threads are below.
const FIRST: u64 = 1 << 32;
/// Tracks of one device.
const MOST: u64 = 1 << 16;
/// The operation of a kernel; no `ompt_target_data_op_t` has this value.
const KERNEL: u64 = 0;

/// An operation as a slice.
struct Slice {
    begin: u64,
    end: u64,
    op: u64,
    kind: u64,
    amount: u64,
}

/// A track, with the end time of its last slice.
struct Lane {
    uuid: u64,
    kernels: bool,
    taken: u64,
}

/// Writes the operations of the device `number`, which `thread` is the file of.
pub fn write(
    trace: &Trace,
    thread: &Thread,
    number: u64,
    seed: u64,
    known: &Known,
    to: &mut Packets<'_>,
) -> Result<()> {
    let (from, to_ns) = trace.selection.edges();
    let inside = |slice: &Slice| {
        let constructs = trace.selection.regions.is_none() || known.selected.contains(&slice.op);
        constructs && (trace.selection.window.is_none() || (slice.end > from && slice.begin < to_ns))
    };
    let cut = |slice: Slice| Slice { begin: slice.begin.max(from), end: slice.end.min(to_ns), ..slice };
    let slices = trace.events(thread).filter_map(|event| slice(event.ns, event.record));
    let mut slices: Vec<Slice> = slices.filter(inside).map(cut).collect();
    slices.sort_by_key(|slice| (slice.begin, slice.end));
    let mut lanes: Vec<Lane> = Vec::new();
    for slice in slices {
        let kernels = slice.kind == KERNEL;
        let free = lanes.iter().position(|lane| lane.kernels == kernels && lane.taken <= slice.begin);
        let index = match free {
            Some(index) => index,
            None => {
                let uuid = seed.wrapping_add(FIRST + number * MOST + lanes.len() as u64);
                let nth = lanes.iter().filter(|lane| lane.kernels == kernels).count();
                let what = if kernels { "kernels" } else { "copies" };
                let name = if nth == 0 { String::new() } else { format!(" ({})", nth + 1) };
                track(trace, uuid, seed, format!("device {number} {what}{name}"), to)?;
                lanes.push(Lane { uuid, kernels, taken: 0 });
                lanes.len() - 1
            }
        };
        lanes[index].taken = slice.end;
        let site = known.operations.get(&slice.op).copied().unwrap_or_default();
        let unit = if kernels { "teams" } else { "bytes" };
        let flows = if slice.op == 0 { Vec::new() } else { vec![seed.wrapping_add(slice.op)] };
        let with = TrackEvent {
            debug_annotations: vec![to.annotation(unit, slice.amount)],
            terminating_flow_ids: flows,
            ..TrackEvent::default()
        };
        let title = Title { name: operation_name(slice.kind), site, category: "device" };
        let epoch = trace.meta.start_unix_ns;
        to.titled(epoch.saturating_add(slice.begin), TYPE_SLICE_BEGIN, lanes[index].uuid, title, with)?;
        to.end(epoch.saturating_add(slice.end), lanes[index].uuid)?;
    }
    Ok(())
}

fn slice(ns: u64, record: Record) -> Option<Slice> {
    let Record::Operation { op, kind, amount, late, length } = record else { return None };
    let end = ns.saturating_sub(late);
    Some(Slice { begin: end.saturating_sub(length), end, op, kind, amount })
}

fn track(trace: &Trace, uuid: u64, seed: u64, name: String, to: &mut Packets<'_>) -> Result<()> {
    // Perfetto tells threads apart by their numbers; these are higher than those of a device's threads.
    let tid = 2 * DEVICE_TID + (uuid.wrapping_sub(seed) - FIRST) as i32 % DEVICE_TID;
    to.track(TrackDescriptor {
        uuid: Some(uuid),
        parent_uuid: Some(seed),
        thread: Some(ThreadDescriptor { pid: Some(trace.meta.pid as i32), tid: Some(tid), thread_name: Some(name) }),
        ..TrackDescriptor::default()
    })
}
