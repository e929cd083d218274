//! What devices do for the host, as records: target constructs, mappings, data operations, kernels.

use super::buffers::SLOT;
use super::device::{
    DATA_OP, Device, IDLE, KERNEL, MAP, MOTION, Origin, QUEUED, SUBMIT, TARGET, Who, find, on, traced,
};
use super::names;
use super::native::NativeRecord;
use crate::model::atomic::Ordering;
use crate::objects::structures::{TargetTool, Team, Thread};
use crate::ompt::several;
use crate::ompt::target::{DataOp, Mappings, Note};
use crate::upcalls::ferromp_up_host_number as host;
use ::ompt::*;
use std::ffi::CStr;

/// A target construct that this device executes begins or ends.
#[inline]
pub fn target(tool: &TargetTool, endpoint: ScopeEndpoint) {
    let Some(device) = traced(tool.device.get(), TARGET) else { return };
    let target_id = tool.target_id(None);
    let target = RecordTarget {
        kind: tool.kind.get(),
        endpoint,
        device_num: tool.device.get(),
        task_id: generating_id(tool),
        target_id,
        codeptr_ra: tool.codeptr.get(),
    };
    let origin = Origin { who: device.who(), target_id, time: device.time() };
    device.standard(TARGET, origin, RecordBody { target });
}

/// The identifier of the task that encountered a construct: what the tool has written to the task's data word, or else
/// a number of the runtime's.
fn generating_id(tool: &TargetTool) -> Id {
    // SAFETY: the word of a task, whose header lasts as long as the construct.
    match unsafe { several::first_value(tool.generating_data()) } {
        // SAFETY: the same task; null where the construct has not begun.
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
/// The most mappings in one record. Further mappings have a record of their own.
const MAPPINGS: usize = 32;

/// Mappings of a construct. The lists lie behind the record, in slots of their own.
pub fn target_map(tool: &TargetTool, mappings: &Mappings) {
    let Some(device) = traced(tool.device.get(), MAP) else { return };
    let (target_id, codeptr_ra) = (tool.target_id(None), tool.codeptr.get());
    let origin = Origin { who: device.who(), target_id, time: device.time() };
    for first in (0..mappings.host.len()).step_by(MAPPINGS) {
        let count = (mappings.host.len() - first).min(MAPPINGS);
        let slots = 1 + (count * MAPPING).div_ceil(SLOT) as u32;
        let lists = |at: *mut u8| {
            let host = at.wrapping_add(SLOT).cast::<usize>();
            (host, host.wrapping_add(count), host.wrapping_add(2 * count), host.wrapping_add(3 * count).cast::<u32>())
        };
        let body = |at| {
            let (host, there, bytes, mapping_flags) = lists(at);
            let (host_addr, device_addr) = (host.cast(), there.cast());
            let nitems = count as u32;
            let target_map =
                RecordTargetMap { target_id, nitems, host_addr, device_addr, bytes, mapping_flags, codeptr_ra };
            RecordBody { target_map }
        };
        device.standard_with(MAP, origin, slots, body, |at| {
            let (host, there, bytes, flags) = lists(at);
            // SAFETY: the slots behind the record have room for the lists, and `first + count` is no more than each of
            // the vectors has.
            unsafe {
                host.copy_from_nonoverlapping(mappings.host[first..].as_ptr(), count);
                there.copy_from_nonoverlapping(mappings.device[first..].as_ptr(), count);
                bytes.copy_from_nonoverlapping(mappings.bytes[first..].as_ptr(), count);
                flags.copy_from_nonoverlapping(mappings.flags[first..].as_ptr(), count);
            }
        });
    }
}

/// A data operation that the host does for the device, such as an allocation, is over. It is no transfer.
#[inline]
pub fn host_data_op(operation: &DataOp, note: &Note) {
    // First, because the host's number is the answer of an upcall, which no caller inlines.
    if !on() {
        return;
    }
    let Some(device) = traced(operation.device(host()), DATA_OP) else { return };
    let addresses = (operation.source, operation.destination);
    let span = Span { start: note.at, end: device.time() };
    record_data_op(device, device.who(), note, addresses, operation.bytes, span);
}

fn record_data_op(device: &Device, who: Who, note: &Note, (from, to): (usize, usize), bytes: usize, span: Span) {
    let target_data_op = RecordTargetDataOp {
        host_op_id: note.host_op_id,
        optype: TargetDataOp(note.operation),
        src_addr: from as *mut _,
        src_device_num: note.source_device,
        dest_addr: to as *mut _,
        dest_device_num: note.destination_device,
        bytes,
        end_time: span.end,
        codeptr_ra: note.codeptr as *const _,
    };
    let origin = Origin { who, target_id: note.target_id, time: span.start };
    device.standard(DATA_OP, origin, RecordBody { target_data_op });
}

/// The device's clock at the begin of a transfer, if transfers are recorded; else 0.
#[inline(always)]
pub fn transfer_begins(number: i32) -> u64 {
    traced(number, DATA_OP | MOTION).map_or(0, Device::time)
}

/// A transfer that the device has performed since `start`, which [`transfer_begins`] returned, and which is not 0.
#[cold]
pub fn transfer(number: i32, note: &Note, from: usize, to: usize, bytes: usize, start: u64) {
    let Some(device) = find(number) else { return };
    transferred(number, note, (from, to), bytes, Span { start, end: device.time() });
}

/// Begin and end, by the device's clock.
#[derive(Clone, Copy)]
pub struct Span {
    pub start: u64,
    pub end: u64,
}

/// Whether a transfer that is about to be queued on the device is recorded.
#[inline]
pub fn wants_transfer(number: i32, note: &Note) -> bool {
    note.host_op_id != ID_NONE && traced(number, DATA_OP | MOTION).is_some()
}

/// A transfer that the device has performed within `span`.
#[cold]
pub fn transferred(number: i32, note: &Note, addresses: (usize, usize), bytes: usize, span: Span) {
    let Some(device) = find(number).filter(|_| note.host_op_id != ID_NONE) else { return };
    let who = device.who();
    if device.mask() & DATA_OP != 0 {
        record_data_op(device, who, note, addresses, bytes, span);
    }
    if device.mask() & MOTION != 0 {
        let to_device = note.destination_device == number;
        let (name, c) = if to_device { (c"copy to the device", 1) } else { (c"copy from the device", 2) };
        let seconds = device.clock.to_wtime(span.end) - device.clock.to_wtime(span.start);
        let bandwidth = if seconds > 0.0 { (bytes as f64 / seconds) as u64 } else { 0 };
        device.native(MOTION, who, note, NativeRecord { a: bytes as u64, b: bandwidth, c, ..device.event(name, span) });
    }
}

/// A kernel that is recorded, from its begin to its end.
pub struct Running {
    device: &'static Device,
    start: u64,
}

/// A kernel begins on `thread`, a thread of the device with the team `team`. Until [`kernel_ends`], records of the
/// thread belong to the kernel's target region.
#[inline]
pub fn kernel_begins(thread: &Thread, team: &Team, note: &Note) -> Option<Running> {
    let device = traced(thread.device(), u64::MAX)?;
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

/// The kernel has ended. `requested` is the number of teams asked for, 0 for any number; `limit` is the thread limit, 0
/// for none; `code` is the address of the kernel's code.
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

/// The teams of a kernel.
#[derive(Clone, Copy)]
pub struct Teams {
    /// 0 for any number.
    pub requested: u32,
    pub granted: u32,
    /// The thread limit, 0 for none.
    pub limit: u32,
}

/// Whether a kernel that is about to be queued on the device is recorded.
#[inline]
pub fn wants_kernel(number: i32, note: &Note) -> bool {
    note.host_op_id != ID_NONE && traced(number, SUBMIT | KERNEL | QUEUED).is_some()
}

/// A kernel that the device has run within `span`.
#[cold]
pub fn kernel_ran(number: i32, note: &Note, span: Span, teams: Teams, code: usize) {
    let Some(device) = find(number) else { return };
    device.kernel(device.who(), note, span, teams, code);
}

impl Device {
    /// A native record of something that the device did.
    fn event(&self, name: &'static CStr, Span { start, end }: Span) -> NativeRecord {
        let mut record = NativeRecord::event(name, start, end);
        if !self.clock.records_inside() {
            // The processor of the thread that writes the record had no part in the event.
            record.summary.hwid = HWID_NONE;
        }
        record
    }

    /// Records of a kernel.
    fn kernel(&self, who: Who, note: &Note, span: Span, teams: Teams, code: usize) {
        let Teams { requested, granted, limit } = teams;
        if self.mask() & SUBMIT != 0 {
            let target_kernel = RecordTargetKernel {
                host_op_id: note.host_op_id,
                requested_num_teams: requested,
                granted_num_teams: granted,
                end_time: span.end,
            };
            let origin = Origin { who, target_id: note.target_id, time: span.start };
            self.standard(SUBMIT, origin, RecordBody { target_kernel });
        }
        let queued = Span { start: if note.at == 0 { span.start } else { note.at.min(span.start) }, end: span.start };
        if self.mask() & QUEUED != 0 {
            let record = self.event(c"queued", queued);
            self.native(QUEUED, who, note, NativeRecord { a: requested.into(), b: limit.into(), ..record });
        }
        if self.mask() & KERNEL != 0 {
            let record = self.event(c"kernel", span);
            let waited = queued.end - queued.start;
            self.native(KERNEL, who, note, NativeRecord { a: granted.into(), b: waited, c: code as u64, ..record });
        }
    }
}
