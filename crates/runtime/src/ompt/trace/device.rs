//! Devices that can be traced, what any tool records of each, and writing records.

use super::cursor::set_rooms;
use super::native::NativeRecord;
use super::session::{Trace, Traced, native as native_bit};
use super::{deliver, names};
use crate::device_numbers;
use crate::model::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::ompt::target::Note;
use crate::ompt::{registry, several};
use crate::park::mutex::Mutex;
use ::ompt::*;

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
    pub(super) number: i32,
    pub(crate) clock: Box<dyn Clock>,
    /// What any tool records now.
    pub(super) mask: AtomicU64,
    /// Each tool's trace; null for one that has never asked for any.
    pub(super) traces: [AtomicPtr<Trace>; several::MOST],
    /// The device's threads that have been given numbers.
    pub(super) threads: AtomicU32,
    /// When the last kernel ended; 0 before the first.
    pub(super) kernel_ended: AtomicU64,
    /// Kernels under way.
    pub(super) kernels: AtomicU32,
}

pub(crate) static DEVICES: [AtomicPtr<Device>; device_numbers::MOST] =
    [const { AtomicPtr::new(std::ptr::null_mut()) }; device_numbers::MOST];
/// How many devices are traced now.
static TRACED: AtomicU32 = AtomicU32::new(0);
/// Held while it is found out what is recorded.
static REFRESHING: Mutex<()> = Mutex::new(());

pub(crate) const fn bit(event: Event) -> u64 {
    1 << event.0
}

pub(crate) const TARGET: u64 = bit(Event::Target) | bit(Event::TargetEmi);
pub(crate) const DATA_OP: u64 = bit(Event::TargetDataOp) | bit(Event::TargetDataOpEmi);
pub(crate) const SUBMIT: u64 = bit(Event::TargetSubmit) | bit(Event::TargetSubmitEmi);
pub(crate) const MAP: u64 = bit(Event::TargetMap) | bit(Event::TargetMapEmi);
/// Events of target constructs, which the host records.
pub(crate) const OUTSIDE: u64 = TARGET | DATA_OP | SUBMIT | MAP;
/// Events that a device's threads may record, inside target regions.
pub(crate) const INSIDE: u64 = ((1 << (Event::COUNT + 1)) - 2) & !OUTSIDE;
pub(crate) const MOTION: u64 =
    native_bit(NativeMonFlag::DATA_MOTION_EXPLICIT) | native_bit(NativeMonFlag::DATA_MOTION_IMPLICIT);
pub(crate) const KERNEL: u64 = native_bit(NativeMonFlag::KERNEL_EXECUTION);
pub(crate) const QUEUED: u64 = native_bit(NativeMonFlag::KERNEL_INVOCATION);
pub(crate) const IDLE: u64 = native_bit(NativeMonFlag::IDLENESS);

/// Whether any device is traced. One relaxed load.
#[inline(always)]
pub(crate) fn on() -> bool {
    TRACED.load(Ordering::Relaxed) != 0
}

/// The device with this number, if it has been opened.
pub(crate) fn find(number: i32) -> Option<&'static Device> {
    let slot = DEVICES.get(usize::try_from(number).ok()?)?;
    // SAFETY: null or a device, and devices live for ever.
    unsafe { slot.load(Ordering::Acquire).as_ref() }
}

/// What is known of the traces of the device of this number, whose clock is `clock`.
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
    for number in 0..device_numbers::MOST as i32 {
        let trace = find(number).and_then(|device| device.trace_of(tool));
        if let Some(trace) = trace {
            trace.end();
        }
    }
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

impl Traced for Device {
    fn number(&self) -> i32 {
        self.number
    }

    fn time(&self) -> u64 {
        self.clock.time()
    }

    /// A trace has changed what it records: finds out what all of them do, and which events the device's threads are to
    /// be asked for.
    fn refresh(&self) {
        REFRESHING.with(|()| {
            let wanted = self.traces().fold(0, |wanted, trace| wanted | trace.mask());
            // Those are needed to know what belongs to which region.
            let besides = if wanted & (SUBMIT | KERNEL | INSIDE) != 0 { bit(Event::ImplicitTask) } else { 0 };
            let mask = if self.clock.records_inside() { wanted | besides } else { wanted & !INSIDE };
            let before = self.mask.swap(mask, Ordering::Relaxed);
            match (before != 0, mask != 0) {
                (false, true) => TRACED.fetch_add(1, Ordering::Relaxed),
                (true, false) => TRACED.fetch_sub(1, Ordering::Relaxed),
                _ => 0,
            };
            let all = (0..device_numbers::MOST as i32)
                .filter_map(find)
                .fold(0, |all, device| all | device.mask.load(Ordering::Relaxed));
            registry::record_on_devices(all & INSIDE);
        });
    }

    fn is_asked_by(&self, caller: usize) -> bool {
        (0..device_numbers::MOST as i32)
            .filter_map(find)
            .flat_map(Device::traces)
            .any(|trace| trace.is_asked_by(caller))
    }
}

impl Device {
    #[inline(always)]
    pub(crate) fn time(&self) -> u64 {
        self.clock.time()
    }

    pub(crate) fn traces(&self) -> impl Iterator<Item = &'static Trace> {
        (0..several::MOST).filter_map(|tool| self.trace_of(tool))
    }

    #[inline(always)]
    pub(crate) fn trace_of(&self, tool: usize) -> Option<&'static Trace> {
        // SAFETY: null or a trace, and traces live for ever.
        unsafe { self.traces[tool].load(Ordering::Acquire).as_ref() }
    }

    /// The tool's trace, which is made when it first asks for something.
    pub(crate) fn trace(&'static self, tool: usize) -> &'static Trace {
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

    #[inline(always)]
    pub(crate) fn mask(&self) -> u64 {
        self.mask.load(Ordering::Relaxed)
    }

    /// Writes a record into each trace that wants it.
    #[inline(always)]
    pub(crate) fn record(&self, kinds: u64, strip: usize, rooms: u32, fill: impl Fn(*mut u8, u64)) {
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
    pub(crate) fn standard(
        &self,
        kinds: u64,
        who: Who,
        target: Id,
        time: u64,
        event: impl Fn(u64) -> Event,
        body: RecordBody,
    ) {
        self.record(kinds, who.strip, 1, |at, mask| {
            let record = RecordOmpt { type_: event(mask), time, thread_id: who.id, target_id: target, record: body };
            // SAFETY: room for a record.
            unsafe { put(at, 1, record) };
        });
    }

    pub(crate) fn native(&self, kinds: u64, who: Who, note: &Note, record: NativeRecord) {
        let mut record = record;
        (record.host_op_id, record.target_id, record.thread_id) = (note.host_op_id, note.target_id, who.id);
        self.record(kinds, who.strip, 1, |at, _| {
            // SAFETY: room for a record.
            unsafe { at.cast::<NativeRecord>().write(record) };
        });
    }

    /// The calling thread as records name it: by its number if it is one of this device.
    #[inline(always)]
    pub(crate) fn who(&self) -> Who {
        match current::try_current() {
            Some(thread) if thread.device() == self.number => self.own(thread),
            Some(thread) => Who { id: ID_NONE, strip: thread.gtid() as usize },
            None => Who { id: ID_NONE, strip: 0 },
        }
    }

    #[inline(always)]
    pub(crate) fn own(&self, thread: &Thread) -> Who {
        let number = &thread.tool.traced.number;
        if number.get() == 0 {
            number.set(self.threads.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Who { id: number.get().into(), strip: number.get() as usize }
    }
}

/// Who writes a record.
#[derive(Clone, Copy)]
pub(crate) struct Who {
    pub(super) id: Id,
    pub(super) strip: usize,
}

/// Writes a standard record that takes `rooms` rooms, together with what the caller writes behind the record.
///
/// # Safety
/// There is room for the record at `at`.
#[inline(always)]
pub(crate) unsafe fn put(at: *mut u8, rooms: u32, record: RecordOmpt) {
    // SAFETY: the caller's.
    unsafe {
        at.cast::<RecordOmpt>().write(record);
        set_rooms(at, rooms);
    }
}

/// The device's clock, if the device is traced; else 0.
#[inline]
pub fn time_of(number: i32) -> u64 {
    if on() { find(number).filter(|device| device.mask() != 0).map_or(0, Device::time) } else { 0 }
}

/// The traced device with this number.
#[inline(always)]
pub(crate) fn traced(number: i32, kinds: u64) -> Option<&'static Device> {
    if !on() {
        return None;
    }
    find(number).filter(|device| device.mask() & kinds != 0)
}
