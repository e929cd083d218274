//! Device tracing: records of what happens on devices, in buffers of the tool's (OpenMP 5.1 §4.2.5, §4.4.3, §4.6.2).
//!
//! | file | what |
//! | --- | --- |
//! | `buffers.rs` | strips: writing into buffers by several threads, without a lock |
//! | `session.rs` | one tool's trace of one device: start, pause, flush, stop, where buffers come from |
//! | `progress.rs` | how far buffers have come on their way back |
//! | `deliver.rs` | the thread that hands buffers back |
//! | `inside.rs` | events inside target regions, on the device's own threads |
//! | `names.rs` | numbers of the host's tasks |
//! | `native.rs` | records in the device's own form |
//! | `cursor.rs` | reading buffers |
//! | `lookup.rs` | the entry points, and what they answer |
//!
//! `README.md` has the protocol. While nobody traces, an operation costs one relaxed load.

pub mod buffers;
#[cfg(test)]
mod check;
mod cursor;
mod deliver;
mod inside;
mod lookup;
mod names;
mod native;
pub mod progress;
mod session;

use super::several;
use super::target::{DataOp, Mappings, Note};
use crate::device_numbers;
use crate::objects::current;
use crate::objects::structures::TargetTool;
use crate::objects::structures::Team;
use crate::objects::structures::Thread;
use crate::park::mutex::Mutex;
use crate::upcalls;
use ::ompt::*;
use cursor::set_rooms;
pub use inside::recorder;
pub use lookup::of as lookup;
use native::NativeRecord;
pub use native::{DOCUMENTATION, NVIDIA_DOCUMENTATION};
use session::{Trace, native as native_bit};
use std::ffi::CStr;
use std::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};

/// How a device tells time and what it can record.
pub trait Clock: Sync {
    fn time(&self) -> u64;
    fn to_wtime(&self, time: u64) -> f64;
    fn processors(&self) -> i32;
    /// Whether its threads record events inside target regions, and native records.
    fn records_inside(&self) -> bool;
}

/// What is known of a device's traces. It lives for ever.
pub struct Device {
    number: i32,
    clock: Box<dyn Clock>,
    /// What any tool records now.
    mask: AtomicU64,
    /// Each tool's trace; null for one that has never asked for any.
    traces: [AtomicPtr<Trace>; several::MOST],
    /// The device's threads that have been given numbers.
    threads: AtomicU32,
    /// When the last kernel ended; 0 before the first.
    kernel_ended: AtomicU64,
    /// Kernels under way.
    kernels: AtomicU32,
}

static DEVICES: [AtomicPtr<Device>; device_numbers::MOST] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; device_numbers::MOST];
/// How many devices are traced now.
static TRACED: AtomicU32 = AtomicU32::new(0);
/// Held while it is found out what is recorded.
static REFRESHING: Mutex<()> = Mutex::new(());

const fn bit(event: Event) -> u64 {
    1 << event.0
}

const TARGET: u64 = bit(Event::Target) | bit(Event::TargetEmi);
const DATA_OP: u64 = bit(Event::TargetDataOp) | bit(Event::TargetDataOpEmi);
const SUBMIT: u64 = bit(Event::TargetSubmit) | bit(Event::TargetSubmitEmi);
const MAP: u64 = bit(Event::TargetMap) | bit(Event::TargetMapEmi);
const MOTION: u64 = native_bit(NativeMonFlag::DATA_MOTION_EXPLICIT) | native_bit(NativeMonFlag::DATA_MOTION_IMPLICIT);
const KERNEL: u64 = native_bit(NativeMonFlag::KERNEL_EXECUTION);
const QUEUED: u64 = native_bit(NativeMonFlag::KERNEL_INVOCATION);
const IDLE: u64 = native_bit(NativeMonFlag::IDLENESS);

/// The one of an event's two numbers that a record has: the plain one, unless the tool wants the other alone.
fn number(plain: Event, emi: Event, mask: u64) -> Event {
    if mask & bit(plain) != 0 { plain } else { emi }
}

/// Whether any device is traced. One relaxed load.
#[inline(always)]
fn on() -> bool {
    TRACED.load(Ordering::Relaxed) != 0
}

/// The device with this number, if it has been opened.
fn find(number: i32) -> Option<&'static Device> {
    let slot = DEVICES.get(usize::try_from(number).ok()?)?;
    // SAFETY: null or a device, and devices live for ever.
    unsafe { slot.load(Ordering::Acquire).as_ref() }
}

pub(crate) fn make(number: i32, clock: Box<dyn Clock>) -> *mut ::ompt::Device {
    if let Some(device) = find(number) {
        return std::ptr::from_ref(device).cast_mut().cast();
    }
    let device = Box::leak(Box::new(Device {
        number,
        clock,
        mask: AtomicU64::new(0),
        traces: [const { AtomicPtr::new(std::ptr::null_mut()) }; several::MOST],
        threads: AtomicU32::new(0),
        kernel_ended: AtomicU64::new(0),
        kernels: AtomicU32::new(0),
    }));
    DEVICES[number as usize].store(device, Ordering::Release);
    std::ptr::from_ref(device).cast_mut().cast()
}

/// The device is about to be finalised: all that has been recorded is handed over before this returns.
pub fn finalize(number: i32) {
    if let Some(device) = find(number) {
        device.traces().for_each(Trace::end);
    }
}

/// A tool is about to be finalised: its traces end, as in [`finalize`].
pub fn end_tool(tool: usize) {
    for number in 0..crate::device_numbers::MOST as i32 {
        let trace = find(number).and_then(|device| device.trace_of(tool));
        if let Some(trace) = trace {
            trace.end();
        }
    }
}

/// Ends the thread that hands buffers back, when it has handed back what is on its way. Another begins with the next
/// trace.
pub fn rest() {
    deliver::end();
}

/// Whether the thread is inside a callback that gives a buffer, for whichever device: threads that wait for each
/// other's would wait for ever.
fn is_asked_by(caller: usize) -> bool {
    (0..crate::device_numbers::MOST as i32)
        .filter_map(find)
        .flat_map(Device::traces)
        .any(|trace| trace.is_asked_by(caller))
}

/// In a forked child: nothing is traced.
pub fn after_fork() {
    deliver::after_fork();
    names::after_fork();
    REFRESHING.force_open();
    for device in DEVICES.iter().enumerate().filter_map(|(number, _)| find(number as i32)) {
        device.traces().for_each(Trace::after_fork);
        device.refresh();
    }
}

impl Device {
    fn number(&self) -> i32 {
        self.number
    }

    #[inline(always)]
    fn time(&self) -> u64 {
        self.clock.time()
    }

    fn traces(&self) -> impl Iterator<Item = &'static Trace> {
        (0..several::MOST).filter_map(|tool| self.trace_of(tool))
    }

    #[inline(always)]
    fn trace_of(&self, tool: usize) -> Option<&'static Trace> {
        // SAFETY: null or a trace, and traces live for ever.
        unsafe { self.traces[tool].load(Ordering::Acquire).as_ref() }
    }

    /// The tool's trace, which is made when it first asks for something.
    fn trace(&'static self, tool: usize) -> &'static Trace {
        if let Some(trace) = self.trace_of(tool) {
            return trace;
        }
        let fresh = Box::into_raw(Box::new(Trace::new(self, tool)));
        let slot = &self.traces[tool];
        match slot.compare_exchange(std::ptr::null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: it stays.
            Ok(_) => unsafe { &*fresh },
            Err(other) => {
                // SAFETY: nobody else has seen the fresh one; the other stays.
                unsafe {
                    drop(Box::from_raw(fresh));
                    &*other
                }
            }
        }
    }

    /// A trace has changed what it records: finds out what all of them do, and which events the device's threads are to
    /// be asked for.
    fn refresh(&self) {
        REFRESHING.with(|()| {
            let wanted = self.traces().fold(0, |wanted, trace| wanted | trace.mask());
            // Those are needed to know what belongs to which region.
            let besides = if wanted & (SUBMIT | KERNEL | inside::ALL) != 0 { bit(Event::ImplicitTask) } else { 0 };
            let mask = if self.clock.records_inside() { wanted | besides } else { wanted & !inside::ALL };
            let before = self.mask.swap(mask, Ordering::Relaxed);
            match (before != 0, mask != 0) {
                (false, true) => TRACED.fetch_add(1, Ordering::Relaxed),
                (true, false) => TRACED.fetch_sub(1, Ordering::Relaxed),
                _ => 0,
            };
            let all = (0..crate::device_numbers::MOST as i32)
                .filter_map(find)
                .fold(0, |all, device| all | device.mask.load(Ordering::Relaxed));
            super::registry::record_on_devices(all & inside::ALL);
        });
    }

    #[inline(always)]
    fn mask(&self) -> u64 {
        self.mask.load(Ordering::Relaxed)
    }

    /// Writes a record into each trace that wants it.
    #[inline(always)]
    fn record(&self, kinds: u64, strip: usize, rooms: u32, fill: impl Fn(*mut u8, u64)) {
        // One tool is the rule: the first.
        if let Some(trace) = self.trace_of(0) {
            trace.record(kinds, strip, rooms, &fill);
        }
        if several::is_so() {
            for tool in 1..several::MOST {
                if let Some(trace) = self.trace_of(tool) {
                    trace.record(kinds, strip, rooms, &fill);
                }
            }
        }
    }

    /// Writes a standard record that takes one room. `event` says which number it has, by what the trace records.
    #[inline(always)]
    fn standard(&self, kinds: u64, who: Who, target: Id, time: u64, event: impl Fn(u64) -> Event, body: RecordBody) {
        self.record(kinds, who.strip, 1, |at, mask| {
            let record = RecordOmpt { type_: event(mask), time, thread_id: who.id, target_id: target, record: body };
            // SAFETY: room for a record.
            unsafe {
                at.cast::<RecordOmpt>().write(record);
                set_rooms(at, 1);
            }
        });
    }

    fn native(&self, kinds: u64, who: Who, note: &Note, record: NativeRecord) {
        let mut record = record;
        (record.host_op_id, record.target_id, record.thread_id) = (note.host_op_id, note.target_id, who.id);
        self.record(kinds, who.strip, 1, |at, _| {
            // SAFETY: room for a record.
            unsafe { at.cast::<NativeRecord>().write(record) };
        });
    }

    /// The calling thread as records name it: by its number if it is one of this device.
    #[inline(always)]
    fn who(&self) -> Who {
        match current::try_current() {
            Some(thread) if thread.device() == self.number => self.own(thread),
            Some(thread) => Who { id: ID_NONE, strip: thread.gtid() as usize },
            None => Who { id: ID_NONE, strip: 0 },
        }
    }

    #[inline(always)]
    fn own(&self, thread: &Thread) -> Who {
        let number = &thread.tool.traced().number;
        if number.get() == 0 {
            number.set(self.threads.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Who { id: number.get().into(), strip: number.get() as usize }
    }
}

/// Who writes a record.
#[derive(Clone, Copy)]
struct Who {
    id: Id,
    strip: usize,
}

/// The device's clock, if the device is traced; else 0.
#[inline]
pub(super) fn time_of(number: i32) -> u64 {
    if on() { find(number).filter(|device| device.mask() != 0).map_or(0, Device::time) } else { 0 }
}

/// The traced device with this number.
#[inline(always)]
fn traced(number: i32, kinds: u64) -> Option<&'static Device> {
    if !on() {
        return None;
    }
    find(number).filter(|device| device.mask() & kinds != 0)
}

/// A target construct that this device executes begins or ends.
#[inline]
pub(super) fn target(tool: &TargetTool, endpoint: ScopeEndpoint) {
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
pub(super) fn wants_mappings(number: i32) -> bool {
    traced(number, MAP).is_some()
}

/// Bytes of one mapping in a record: two addresses, a size, flags.
const MAPPING: usize = 3 * size_of::<usize>() + size_of::<u32>();
/// So many mappings one record has at most; there is one more record then.
const MAPPINGS: usize = 32;

/// Mappings of a construct. The lists lie behind the record, in rooms of their own.
pub(super) fn target_map(tool: &TargetTool, mappings: &Mappings) {
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
                at.cast::<RecordOmpt>().write(record);
                set_rooms(at, rooms);
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
pub(super) fn host_data_op(operation: &DataOp, note: &Note) {
    let number = if operation.source_device == upcalls::ferromp_up_host_number() {
        operation.destination_device
    } else {
        operation.source_device
    };
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
    team.tool.set_target(note.target_id);
    let traced = thread.tool.traced();
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
    let (who, granted) = (device.own(thread), thread.tool.traced().teams.get());
    thread.tool.traced().target.set(ID_NONE);
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
