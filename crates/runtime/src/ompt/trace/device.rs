//! Devices that can be traced, what the traces of each device record, and how records are written.

use super::clock::Clock;
use super::cursor::set_slots;
use super::native::NativeRecord;
use super::session::{Trace, native as native_bit};
use super::{deliver, names};
use crate::device_numbers;
use crate::first_use::caller;
use crate::model::atomic::{AtomicPtr, AtomicU32, AtomicU64, Ordering};
use crate::objects::current;
use crate::objects::structures::Thread;
use crate::ompt::target::Note;
use crate::ompt::{registry, several};
use crate::park::mutex::Mutex;
use ::ompt::*;
use std::ptr::null_mut;

/// What tracing keeps of a device. It lives for ever.
pub struct Device {
    number: i32,
    pub(crate) clock: &'static dyn Clock,
    /// What the traces record now.
    mask: AtomicU64,
    /// Each tool's trace; null for a tool that has never asked for one.
    traces: [AtomicPtr<Trace>; several::MOST],
    /// How many of the device's threads have numbers.
    threads: AtomicU32,
    /// When the last kernel ended; 0 before the first.
    pub(super) kernel_ended: AtomicU64,
    /// Kernels under way.
    pub(super) kernels: AtomicU32,
}

pub(crate) static DEVICES: [AtomicPtr<Device>; device_numbers::MOST] =
    [const { AtomicPtr::new(null_mut()) }; device_numbers::MOST];
/// How many devices are traced now.
static TRACED: AtomicU32 = AtomicU32::new(0);
/// Held while [`Device::refresh`] computes masks.
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

/// All devices that have been opened.
fn all() -> impl Iterator<Item = &'static Device> {
    (0..device_numbers::MOST as i32).filter_map(find)
}

/// The device with this number, if its traces record one of `kinds`. One relaxed load while no device is traced.
#[inline(always)]
pub(crate) fn traced(number: i32, kinds: u64) -> Option<&'static Device> {
    if on() { find(number).filter(|device| device.mask() & kinds != 0) } else { None }
}

/// The device's clock, if the device is traced; else 0.
#[inline]
pub fn time_of(number: i32) -> u64 {
    traced(number, u64::MAX).map_or(0, Device::time)
}

/// The device with this number is open: keeps it for traces. Returns what `device_initialize` passes to tools as the
/// device.
pub fn make(number: i32, clock: &'static dyn Clock) -> *mut ::ompt::Device {
    let device = find(number).unwrap_or_else(|| {
        let device = Box::leak(Box::new(Device {
            number,
            clock,
            mask: AtomicU64::new(0),
            traces: [const { AtomicPtr::new(null_mut()) }; several::MOST],
            threads: AtomicU32::new(0),
            kernel_ended: AtomicU64::new(0),
            kernels: AtomicU32::new(0),
        }));
        DEVICES[number as usize].store(device, Ordering::Release);
        device
    });
    std::ptr::from_ref(device).cast_mut().cast()
}

/// The device is about to be finalised. All that has been recorded is delivered before this returns.
pub fn finalize(number: i32) {
    let Some(device) = find(number) else { return };
    device.traces().for_each(|trace| device.end(trace));
}

/// A tool is about to be finalised. Its traces end as in [`finalize`].
pub fn end_tool(tool: usize) {
    for device in all() {
        device.trace_of(tool).into_iter().for_each(|trace| device.end(trace));
    }
}

/// In a forked child: nothing is traced.
pub fn after_fork() {
    deliver::after_fork();
    names::after_fork();
    REFRESHING.force_open();
    for device in all() {
        device.traces().for_each(Trace::after_fork);
        device.refresh();
    }
}

/// Settings of traces.
impl Device {
    fn traces(&self) -> impl Iterator<Item = &'static Trace> {
        (0..several::MOST).filter_map(|tool| self.trace_of(tool))
    }

    #[inline(always)]
    fn trace_of(&self, tool: usize) -> Option<&'static Trace> {
        // SAFETY: null or a trace, and traces live for ever.
        unsafe { self.traces[tool].load(Ordering::Acquire).as_ref() }
    }

    /// The tool's trace, which is made when the tool first asks for something.
    pub(crate) fn trace(&self, tool: usize) -> &'static Trace {
        if let Some(trace) = self.trace_of(tool) {
            return trace;
        }
        let fresh = Box::into_raw(Box::new(Trace::new(self.number, self.clock, tool)));
        match self.traces[tool].compare_exchange(null_mut(), fresh, Ordering::AcqRel, Ordering::Acquire) {
            // SAFETY: the trace lives for ever.
            Ok(_) => unsafe { &*fresh },
            Err(other) => {
                // SAFETY: no other thread has seen the fresh trace; the other trace lives for ever.
                unsafe {
                    drop(Box::from_raw(fresh));
                    &*other
                }
            }
        }
    }

    /// Changes a tool's trace, then what the device records.
    pub(crate) fn change<R>(&self, tool: usize, change: impl FnOnce(&'static Trace) -> R) -> R {
        let result = change(self.trace(tool));
        self.refresh();
        result
    }

    /// Computes what the device records, and which events the threads of all devices look for.
    fn refresh(&self) {
        REFRESHING.with(|()| {
            let wanted = self.traces().fold(0, |wanted, trace| wanted | trace.mask());
            // These tell which region a record belongs to.
            let besides = if wanted & (SUBMIT | KERNEL | INSIDE) != 0 { bit(Event::ImplicitTask) } else { 0 };
            let mask = if self.clock.records_inside() { wanted | besides } else { wanted & !INSIDE };
            let before = self.mask.swap(mask, Ordering::Relaxed);
            match (before != 0, mask != 0) {
                (false, true) => TRACED.fetch_add(1, Ordering::Relaxed),
                (true, false) => TRACED.fetch_sub(1, Ordering::Relaxed),
                _ => 0,
            };
            registry::record_on_devices(all().fold(0, |events, device| events | device.mask()) & INSIDE);
        });
    }

    /// Delivers what has been recorded, and waits until the tool has had every buffer that was requested before. From
    /// inside a callback for buffers, of whichever device, the buffers are closed and not waited for: threads that wait
    /// for each other's requests would wait for ever.
    pub(crate) fn flush(&self, tool: usize) {
        let (trace, caller) = (self.trace(tool), caller());
        if deliver::is_helper() || all().flat_map(Device::traces).any(|trace| trace.is_requested_by(caller)) {
            trace.close();
        } else {
            trace.deliver_all();
        }
    }

    /// Ends the session, and delivers as [`flush`](Self::flush). Returns false outside of sessions.
    pub(crate) fn stop(&self, tool: usize) -> bool {
        let was = self.change(tool, Trace::end_session);
        self.flush(tool);
        was
    }

    /// Ends a trace with the device or the tool. All that has been recorded is delivered before this returns, on any
    /// thread.
    fn end(&self, trace: &'static Trace) {
        trace.end_session();
        self.refresh();
        trace.deliver_all();
    }
}

/// Records.
impl Device {
    #[inline(always)]
    pub(crate) fn time(&self) -> u64 {
        self.clock.time()
    }

    /// What the traces record now.
    #[inline(always)]
    pub(crate) fn mask(&self) -> u64 {
        self.mask.load(Ordering::Relaxed)
    }

    /// Writes a record of `slots` slots into each trace that wants one of `kinds`. `fill` gets the place and the event.
    #[inline(always)]
    fn record(&self, kinds: u64, channel: usize, slots: u32, fill: impl Fn(*mut u8, Event)) {
        // Most programs have one tool at most.
        if let Some(trace) = self.trace_of(0) {
            trace.record(kinds, channel, slots, &fill);
        }
        if several::is_so() {
            for trace in (1..several::MOST).filter_map(|tool| self.trace_of(tool)) {
                trace.record(kinds, channel, slots, &fill);
            }
        }
    }

    /// Writes a standard record into each trace that wants one of `kinds`. An event with two numbers is recorded as the
    /// plain event, unless the tool wants the `_emi` event alone.
    #[inline(always)]
    pub(crate) fn standard(&self, kinds: u64, origin: Origin, body: RecordBody) {
        self.standard_with(kinds, origin, 1, |_| body, |_| ());
    }

    /// As [`standard`](Self::standard), for a record of `slots` slots. `body` gets the record's place. `behind` writes
    /// what is behind the record, after the record itself.
    #[inline(always)]
    pub(crate) fn standard_with(
        &self,
        kinds: u64,
        Origin { who, target_id, time }: Origin,
        slots: u32,
        body: impl Fn(*mut u8) -> RecordBody,
        behind: impl Fn(*mut u8),
    ) {
        self.record(kinds, who.channel, slots, |at, type_| {
            let record = RecordOmpt { type_, time, thread_id: who.id, target_id, record: body(at) };
            // SAFETY: a slot of its own, and a record fits.
            unsafe {
                at.cast::<RecordOmpt>().write(record);
                set_slots(at, slots);
            }
            behind(at);
        });
    }

    /// Writes a native record into each trace that wants one of `kinds`.
    pub(crate) fn native(&self, kinds: u64, who: Who, note: &Note, record: NativeRecord) {
        let record =
            NativeRecord { host_op_id: note.host_op_id, target_id: note.target_id, thread_id: who.id, ..record };
        self.record(kinds, who.channel, 1, |at, _| {
            // SAFETY: a slot of its own, and a native record fits.
            unsafe { at.cast::<NativeRecord>().write(record) };
        });
    }

    /// The calling thread as records name it: by its number if it is a thread of this device.
    #[inline(always)]
    pub(crate) fn who(&self) -> Who {
        match current::try_current() {
            Some(thread) if thread.device() == self.number => self.own(thread),
            Some(thread) => Who { id: ID_NONE, channel: thread.gtid() as usize },
            None => Who { id: ID_NONE, channel: 0 },
        }
    }

    /// A thread of this device as records name it.
    #[inline(always)]
    pub(crate) fn own(&self, thread: &Thread) -> Who {
        let number = &thread.tool.traced.number;
        if number.get() == 0 {
            number.set(self.threads.fetch_add(1, Ordering::Relaxed) + 1);
        }
        Who { id: number.get().into(), channel: number.get() as usize }
    }
}

/// The thread that writes a record.
#[derive(Clone, Copy)]
pub(crate) struct Who {
    /// The thread's number on the device, or `ompt_id_none`.
    pub(super) id: Id,
    /// The thread's channel, modulo the number of channels.
    pub(super) channel: usize,
}

/// Where and when a record comes from.
#[derive(Clone, Copy)]
pub(crate) struct Origin {
    pub(super) who: Who,
    pub(super) target_id: Id,
    pub(super) time: u64,
}
