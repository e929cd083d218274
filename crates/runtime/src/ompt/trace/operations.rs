//! What devices do for the host, as records: target constructs, mappings, data operations, kernels.

use super::device::{
    DATA_OP, Device, IDLE, KERNEL, MAP, MOTION, QUEUED, SUBMIT, TARGET, Who, bit, find, on, put, traced,
};
use super::native::NativeRecord;
use super::{buffers, names};
use crate::model::atomic::Ordering;
use crate::objects::structures::{TargetTool, Team, Thread};
use crate::ompt::several;
use crate::ompt::target::{DataOp, Mappings, Note};
use crate::upcalls::ferromp_up_host_number as host;
use ::ompt::*;
use std::ffi::CStr;

/// The one of an event's two numbers that a record has: the plain one, unless the tool wants the other alone.
fn number(plain: Event, emi: Event, mask: u64) -> Event {
    if mask & bit(plain) != 0 { plain } else { emi }
}

/// A target construct that this device executes begins or ends.
#[inline]
pub fn target(tool: &TargetTool, endpoint: ScopeEndpoint) {
    if let Some(device) = traced(tool.device(), TARGET) {
        let id = tool.target_id(None);
        let body = RecordTarget {
            kind: tool.kind.get(),
            endpoint,
            device_num: tool.device(),
            task_id: generating_id(tool),
            target_id: id,
            codeptr_ra: tool.codeptr.get(),
        };
        let event = |mask| number(Event::Target, Event::TargetEmi, mask);
        device.standard(TARGET, device.who(), id, device.time(), event, RecordBody { target: body });
    }
}

/// The identifier of the task that encountered a construct: what the tool has written to the task's data word, or
/// else a number of ours.
fn generating_id(tool: &TargetTool) -> Id {
    // SAFETY: the word of a task, whose header lasts as long as the construct.
    match unsafe { several::first_value(tool.generating_data()) } {
        // SAFETY: as above; null where the construct has not begun.
        ID_NONE => unsafe { tool.generating.get().as_ref() }.map_or(ID_NONE, names::of),
        written => written,
    }
}

/// Whether mappings are recorded on the device.
#[inline]
pub fn wants_mappings(number: i32) -> bool {
    traced(number, MAP).is_some()
}

/// Bytes of one mapping in a record: two addresses, a size, flags.
const MAPPING: usize = 3 * size_of::<usize>() + size_of::<u32>();
/// So many mappings one record has at most; there is one more record then.
const MAPPINGS: usize = 32;

/// Mappings of a construct. The lists lie behind the record, in rooms of their own.
pub fn target_map(tool: &TargetTool, mappings: &Mappings) {
    let Some(device) = traced(tool.device(), MAP) else { return };
    let (who, time, id) = (device.who(), device.time(), tool.target_id(None));
    for first in (0..mappings.host.len()).step_by(MAPPINGS) {
        let part = first..mappings.host.len().min(first + MAPPINGS);
        let rooms = 1 + (part.len() * MAPPING).div_ceil(buffers::ROOM) as u32;
        device.record(MAP, who.strip, rooms, |at, mask| {
            let count = part.len();
            let host = at.wrapping_add(buffers::ROOM).cast::<usize>();
            let (there, bytes) = (host.wrapping_add(count), host.wrapping_add(2 * count));
            let flags = host.wrapping_add(3 * count).cast::<u32>();
            let body = RecordTargetMap {
                target_id: id,
                nitems: count as u32,
                host_addr: host.cast(),
                device_addr: there.cast(),
                bytes,
                mapping_flags: flags,
                codeptr_ra: tool.codeptr.get(),
            };
            let type_ = number(Event::TargetMap, Event::TargetMapEmi, mask);
            let record =
                RecordOmpt { type_, time, thread_id: who.id, target_id: id, record: RecordBody { target_map: body } };
            // SAFETY: there is room for the record, and behind it for the lists.
            unsafe {
                put(at, rooms, record);
                std::ptr::copy_nonoverlapping(mappings.host[part.clone()].as_ptr(), host, count);
                std::ptr::copy_nonoverlapping(mappings.device[part.clone()].as_ptr(), there, count);
                std::ptr::copy_nonoverlapping(mappings.bytes[part.clone()].as_ptr(), bytes, count);
                std::ptr::copy_nonoverlapping(mappings.flags[part.clone()].as_ptr(), flags, count);
            }
        });
    }
}

/// A data operation that the host does for the device, such as allocating memory, is over: it is not a transfer.
#[inline]
pub fn host_data_op(operation: &DataOp, note: &Note) {
    // First, because the host's number is the answer of a room above, which no caller inlines.
    if !on() {
        return;
    }
    let number = if operation.source_device == host() { operation.destination_device } else { operation.source_device };
    if let Some(device) = traced(number, DATA_OP) {
        let addresses = (operation.source, operation.destination);
        record_data_op(device, device.who(), note, addresses, operation.bytes, note.at, device.time());
    }
}

fn record_data_op(
    device: &Device,
    who: Who,
    note: &Note,
    addresses: (usize, usize),
    bytes: usize,
    start: u64,
    end: u64,
) {
    let body = RecordTargetDataOp {
        host_op_id: note.host_op_id,
        optype: TargetDataOp(note.operation),
        src_addr: addresses.0 as *mut _,
        src_device_num: note.source_device,
        dest_addr: addresses.1 as *mut _,
        dest_device_num: note.destination_device,
        bytes,
        end_time: end,
        codeptr_ra: note.codeptr as *const _,
    };
    let event = |mask| number(Event::TargetDataOp, Event::TargetDataOpEmi, mask);
    device.standard(DATA_OP, who, note.target_id, start, event, RecordBody { target_data_op: body });
}

/// The device's clock at the begin of a transfer, if it is recorded; else 0.
#[inline(always)]
pub fn transfer_begins(number: i32) -> u64 {
    traced(number, DATA_OP | MOTION).map_or(0, Device::time)
}

/// A transfer that the device has performed since `start`, as [`transfer_begins`] answered: not 0.
#[cold]
pub fn transfer(number: i32, note: &Note, from: usize, to: usize, bytes: usize, start: u64) {
    let Some(device) = find(number) else { return };
    transferred(number, note, (from, to), bytes, Span { start, end: device.time() });
}

/// From when to when something was done, by the device's clock.
#[derive(Clone, Copy)]
pub struct Span {
    pub start: u64,
    pub end: u64,
}

/// Whether there is to be a record of a transfer that is about to be queued on that device.
#[inline]
pub fn wants_transfer(number: i32, note: &Note) -> bool {
    note.host_op_id != ID_NONE && traced(number, DATA_OP | MOTION).is_some()
}

/// A transfer that the device has performed, by its own account.
#[cold]
pub fn transferred(number: i32, note: &Note, (from, to): (usize, usize), bytes: usize, Span { start, end }: Span) {
    let Some(device) = find(number).filter(|_| note.host_op_id != ID_NONE) else { return };
    let who = device.who();
    if device.mask() & DATA_OP != 0 {
        record_data_op(device, who, note, (from, to), bytes, start, end);
    }
    if device.mask() & MOTION != 0 {
        let to_device = note.destination_device == number;
        let name = if to_device { c"copy to the device" } else { c"copy from the device" };
        let seconds = device.clock.to_wtime(end) - device.clock.to_wtime(start);
        let bandwidth = if seconds > 0.0 { (bytes as f64 / seconds) as u64 } else { 0 };
        let mut record = device.event(name, start, end);
        (record.a, record.b, record.c) = (bytes as u64, bandwidth, if to_device { 1 } else { 2 });
        device.native(MOTION, who, note, record);
    }
}

/// A kernel that is recorded, from its begin to its end.
pub struct Running {
    device: &'static Device,
    start: u64,
}

/// A kernel begins on `thread`, a thread of the device whose own team is `team`: what is recorded there until
/// [`kernel_ends`] belongs to its target region.
#[inline]
pub fn kernel_begins(thread: &Thread, team: &Team, note: &Note) -> Option<Running> {
    if !on() {
        return None;
    }
    let device = find(thread.device()).filter(|device| device.mask() != 0)?;
    team.tool.target.store(note.target_id, Ordering::Relaxed);
    let traced = &thread.tool.traced;
    traced.target.set(note.target_id);
    traced.teams.set(1);
    let start = device.time();
    let (others, ended) = (device.kernels.fetch_add(1, Ordering::Relaxed), device.kernel_ended.load(Ordering::Relaxed));
    if device.mask() & IDLE != 0 && others == 0 && ended != 0 {
        device.native(IDLE, device.own(thread), &Note::default(), NativeRecord::event(c"idle", ended, start));
    }
    Some(Running { device, start })
}

/// The kernel has ended. `requested` is how many teams were asked for, 0 for any number; `limit` the thread limit, 0
/// for none; `code` where its code is.
pub fn kernel_ends(running: Option<Running>, thread: &Thread, note: &Note, requested: u32, limit: u32, code: usize) {
    let Some(Running { device, start }) = running else { return };
    let end = device.time();
    device.kernels.fetch_sub(1, Ordering::Relaxed);
    device.kernel_ended.store(end, Ordering::Relaxed);
    let (who, granted) = (device.own(thread), thread.tool.traced.teams.get());
    thread.tool.traced.target.set(ID_NONE);
    if note.host_op_id != ID_NONE {
        device.kernel(who, note, Span { start, end }, Teams { requested, granted, limit }, code);
    }
}

/// How many teams a kernel was to have, 0 for any number, and how many it had; its thread limit, 0 for none.
#[derive(Clone, Copy)]
pub struct Teams {
    pub requested: u32,
    pub granted: u32,
    pub limit: u32,
}

/// Whether there is to be a record of a kernel that is about to be queued on that device.
#[inline]
pub fn wants_kernel(number: i32, note: &Note) -> bool {
    note.host_op_id != ID_NONE && traced(number, SUBMIT | KERNEL | QUEUED).is_some()
}

/// A kernel that the device has run, by its own account.
#[cold]
pub fn kernel_ran(number: i32, note: &Note, span: Span, teams: Teams, code: usize) {
    if let Some(device) = find(number) {
        device.kernel(device.who(), note, span, teams, code);
    }
}

impl Device {
    /// A native record of something that the device did.
    fn event(&self, name: &'static CStr, start: u64, end: u64) -> NativeRecord {
        let mut record = NativeRecord::event(name, start, end);
        if !self.clock.records_inside() {
            // The thread that writes the record has nothing to do with it.
            record.summary.hwid = HWID_NONE;
        }
        record
    }

    /// Records of a kernel.
    fn kernel(&self, who: Who, note: &Note, Span { start, end }: Span, teams: Teams, code: usize) {
        let (device, Teams { requested, granted, limit }) = (self, teams);
        if device.mask() & SUBMIT != 0 {
            let body = RecordTargetKernel {
                host_op_id: note.host_op_id,
                requested_num_teams: requested,
                granted_num_teams: granted,
                end_time: end,
            };
            let event = |mask| number(Event::TargetSubmit, Event::TargetSubmitEmi, mask);
            device.standard(SUBMIT, who, note.target_id, start, event, RecordBody { target_kernel: body });
        }
        let queued = if note.at == 0 { start } else { note.at.min(start) };
        if device.mask() & QUEUED != 0 {
            let mut record = device.event(c"queued", queued, start);
            (record.a, record.b) = (requested.into(), limit.into());
            device.native(QUEUED, who, note, record);
        }
        if device.mask() & KERNEL != 0 {
            let mut record = device.event(c"kernel", start, end);
            (record.a, record.b, record.c) = (granted.into(), start.saturating_sub(queued), code as u64);
            device.native(KERNEL, who, note, record);
        }
    }
}
