//! A device's own tracks: kernels on one, copies on another. Operations at the same time are on further tracks.

use super::packets::Packets;
use super::schema::{TYPE_SLICE_BEGIN, ThreadDescriptor, TrackDescriptor, TrackEvent};
use crate::analysis::operation_name;
use crate::export::lanes::Placed;
use crate::export::slices::Title;
use std::io::Result;

/// Threads of devices have no system thread id. They get numbers from here on, which are higher than any system thread
/// id.
pub const DEVICE_TID: i32 = 1 << 29;

/// Numbers of tracks start here for devices; those of threads are below.
const FIRST: u64 = 1 << 32;

/// What the tracks of a process's devices need to know of the process.
pub struct Process {
    pub pid: Option<i32>,
    /// Keeps the tracks and flows of different processes apart.
    pub seed: u64,
    /// The offset that is added to times.
    pub epoch: u64,
}

/// Writes an operation, and describes its track before if it is the track's first.
pub fn write(placed: &Placed, process: &Process, to: &mut Packets<'_>) -> Result<()> {
    let Placed { index, lane, first, operation } = placed;
    let uuid = process.seed.wrapping_add(FIRST + *index as u64);
    if *first {
        // Perfetto tells threads apart by their numbers; these are higher than those of a device's threads.
        let tid = 2 * DEVICE_TID + *index as i32 % DEVICE_TID;
        to.track(TrackDescriptor {
            uuid: Some(uuid),
            parent_uuid: Some(process.seed),
            thread: Some(ThreadDescriptor { pid: process.pid, tid: Some(tid), thread_name: Some(lane.name()) }),
            ..TrackDescriptor::default()
        })?;
    }
    let unit = if lane.kernels { "teams" } else { "bytes" };
    let flows = if operation.op == 0 { Vec::new() } else { vec![process.seed.wrapping_add(operation.op)] };
    let with = TrackEvent {
        debug_annotations: vec![to.annotation(unit, operation.amount)],
        terminating_flow_ids: flows,
        ..TrackEvent::default()
    };
    let title = Title { name: operation_name(operation.kind), site: operation.site, category: "device" };
    to.titled(process.epoch.saturating_add(operation.begin_ns), TYPE_SLICE_BEGIN, uuid, title, with)?;
    to.end(process.epoch.saturating_add(operation.end_ns), uuid)
}
