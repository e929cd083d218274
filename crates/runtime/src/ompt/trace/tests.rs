//! Tests of traces with devices that do nothing but tell time: tools that give small buffers, or none, or are slow, or
//! flush and stop when they like.

use super::clock::Clock;
use super::device::{DEVICES, Device, Origin, Who, find, make};
use crate::model::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use crate::upcalls::ferromp_up_device_lookup as lookup;
use ::ompt::*;
use std::collections::BTreeMap;
use std::ffi::{CStr, c_int, c_void};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Ticks each time that somebody looks.
struct Ticks(AtomicU64);

impl Clock for Ticks {
    fn time(&self) -> u64 {
        self.0.fetch_add(1, Relaxed)
    }
    fn to_wtime(&self, time: u64) -> f64 {
        time as f64
    }
    fn processors(&self) -> i32 {
        1
    }
    fn records_inside(&self) -> bool {
        true
    }
}

/// What a test's tool does, and what it has seen.
#[derive(Default)]
struct Tool {
    /// Size of buffers, and how far from an aligned address they begin.
    bytes: usize,
    off: usize,
    /// No buffer after so many; 0 for no end.
    buffers: usize,
    slow: Duration,
    /// How long it takes to give a buffer.
    slow_request: Duration,
    /// So many buffers it has at most that have not come back; 0 for any number. It gives no more before one of them
    /// has.
    pool: usize,
    /// Flushes the device in both callbacks.
    flushes: bool,
    device: AtomicUsize,
    /// Threads that have asked for a buffer.
    asked: AtomicUsize,
    given: AtomicUsize,
    returned: AtomicUsize,
    /// The most that it has had given at a time.
    most: AtomicUsize,
    records: AtomicU64,
    native: Mutex<Vec<(String, u64, u64)>>,
    /// The last number of each thread, which counts its records from 1.
    last: Mutex<BTreeMap<u64, u64>>,
    wrong: AtomicBool,
}

static TOOLS: Mutex<BTreeMap<c_int, Arc<Tool>>> = Mutex::new(BTreeMap::new());

fn tool(device: c_int) -> Arc<Tool> {
    TOOLS.lock().unwrap()[&device].clone()
}

unsafe extern "C" fn request(device: c_int, buffer: *mut *mut c_void, bytes: *mut usize) {
    let tool = tool(device);
    if tool.flushes {
        call_flush(tool.device.load(Relaxed) as *mut c_void);
    }
    tool.asked.fetch_add(1, Relaxed);
    thread::sleep(tool.slow_request);
    while tool.pool != 0 && tool.given.load(Relaxed) - tool.returned.load(Relaxed) >= tool.pool {
        thread::sleep(Duration::from_micros(50));
    }
    let number = tool.given.fetch_add(1, Relaxed);
    tool.most.fetch_max((number + 1).saturating_sub(tool.returned.load(Relaxed)), Relaxed);
    if tool.buffers != 0 && number >= tool.buffers {
        tool.given.fetch_sub(1, Relaxed);
        return;
    }
    let memory = Vec::leak(vec![0_u64; (tool.bytes + tool.off).div_ceil(8) + 1]);
    // SAFETY: the runtime's two places.
    unsafe { (*buffer, *bytes) = (memory.as_mut_ptr().cast::<u8>().add(tool.off).cast(), tool.bytes) };
}

unsafe extern "C" fn complete(device: c_int, buffer: *mut c_void, bytes: usize, begin: u64, owned: c_int) {
    let tool = tool(device);
    if tool.flushes {
        call_flush(tool.device.load(Relaxed) as *mut c_void);
    }
    thread::sleep(tool.slow);
    let mut cursor = begin;
    let mut all_last = tool.last.lock().unwrap();
    let mut records = 0;
    // SAFETY: a buffer of the runtime's and its cursor.
    let mut there = unsafe { super::cursor::record_type(buffer, cursor) } != Record::INVALID;
    while there {
        // SAFETY: a buffer of the runtime's and its cursors.
        unsafe {
            match super::cursor::record_ompt(buffer, cursor).as_ref() {
                Some(record) => {
                    records += 1;
                    let last = all_last.entry(record.thread_id).or_default();
                    let number = record.record.flush.codeptr_ra as u64;
                    // Records may be missing, but none comes twice, or late.
                    if record.type_ != Event::Flush || number <= *last {
                        tool.wrong.store(true, Relaxed);
                    }
                    *last = number;
                }
                None => {
                    let record = super::cursor::record_native(buffer, cursor, std::ptr::null_mut())
                        .cast::<super::native::NativeRecord>();
                    let name = CStr::from_ptr((*record).summary.type_).to_str().unwrap().to_owned();
                    tool.native.lock().unwrap().push((name, (*record).a, (*record).b));
                }
            }
            there = super::cursor::advance(std::ptr::null_mut(), buffer, bytes, cursor, &mut cursor) != 0;
        }
    }
    drop(all_last);
    tool.records.fetch_add(records, Relaxed);
    // The size is that of the buffer, whatever is in it.
    if owned != 1 || bytes != tool.bytes {
        tool.wrong.store(true, Relaxed);
    }
    tool.returned.fetch_add(1, Relaxed);
}

/// A device entry point of the first tool, or of another.
fn entry<F: Copy>(tool: usize, name: &CStr) -> F {
    // SAFETY: every entry point is there, and callers know its type.
    unsafe { std::mem::transmute_copy(&lookup(tool)(name.as_ptr()).expect("an entry point")) }
}

fn call_flush(device: *mut c_void) -> c_int {
    // SAFETY: an open device.
    unsafe { entry::<FlushTrace>(0, c"ompt_flush_trace")(device) }
}

fn call_stop(device: *mut c_void) -> c_int {
    // SAFETY: as above.
    unsafe { entry::<StopTrace>(0, c"ompt_stop_trace")(device) }
}

fn call_pause(device: *mut c_void, pause: bool) -> c_int {
    // SAFETY: as above.
    unsafe { entry::<PauseTrace>(0, c"ompt_pause_trace")(device, pause.into()) }
}

fn call_start(device: *mut c_void) -> c_int {
    // SAFETY: as above.
    unsafe { entry::<StartTrace>(0, c"ompt_start_trace")(device, request, complete) }
}

fn dropped(device: *mut c_void) -> u64 {
    // SAFETY: as above.
    unsafe { entry::<unsafe extern "C" fn(*mut c_void) -> u64>(0, c"ferromp_get_dropped_records")(device) }
}

/// A device with a number that no other test uses, whose flushes `tool` records; its trace has not been started.
fn device(number: c_int, tool: Tool) -> (&'static Device, *mut c_void, Arc<Tool>) {
    assert!(DEVICES.len() > number as usize);
    let handle = make(number, Box::leak(Box::new(Ticks(AtomicU64::new(1)))));
    tool.device.store(handle as usize, Relaxed);
    let tool = Arc::new(tool);
    TOOLS.lock().unwrap().insert(number, tool.clone());
    // SAFETY: as above.
    let answer = unsafe { entry::<SetTraceOmpt>(0, c"ompt_set_trace_ompt")(handle, 1, Event::Flush.0 as u32) };
    assert_eq!(answer, SetResult::ALWAYS);
    (find(number).unwrap(), handle, tool)
}

/// Thread `id` writes its records from `first` on.
fn write(device: &Device, id: u64, first: u64, count: u64) {
    for number in first..first + count {
        let body = RecordBody { flush: RecordFlush { codeptr_ra: number as *const c_void } };
        let who = Who { id, channel: id as usize };
        let origin = Origin { who, target_id: 1, time: device.time() };
        device.standard(super::device::bit(Event::Flush), origin, body);
    }
}

fn in_threads(device: &'static Device, threads: u64, each: u64) {
    thread::scope(|scope| {
        for id in 1..=threads {
            scope.spawn(move || write(device, id, 1, each));
        }
    });
}

impl Tool {
    #[track_caller]
    fn has(&self, records: u64) {
        assert!(!self.wrong.load(Relaxed), "a record is wrong, late, or there twice");
        assert_eq!(self.records.load(Relaxed), records);
        assert_eq!(self.given.load(Relaxed), self.returned.load(Relaxed), "buffers given and returned");
    }
}

#[test]
fn millions_of_records_are_all_there() {
    // Ten million where that does not take long.
    const EACH: u64 = if cfg!(debug_assertions) { 250_000 } else { 2_500_000 };
    let (device, handle, tool) = device(100, Tool { bytes: 1 << 20, ..Tool::default() });
    assert_eq!(call_start(handle), 1);
    in_threads(device, 4, EACH);
    assert_eq!(call_stop(handle), 1);
    tool.has(4 * EACH);
    assert_eq!(dropped(handle), 0);
}

#[test]
fn buffers_of_one_record_are_enough_wherever_they_begin() {
    for (number, off) in [(101, 0), (102, 3)] {
        let bytes = super::buffers::SLOT + (8 - off) % 8;
        let (device, handle, tool) = device(number, Tool { bytes, off, ..Tool::default() });
        assert_eq!(call_start(handle), 1);
        // More threads than channels, so that some share one.
        in_threads(device, 40, 100);
        assert_eq!(call_stop(handle), 1);
        tool.has(4_000);
        assert_eq!(tool.given.load(Relaxed), 4_000);
    }
}

#[test]
fn no_more_buffers_are_asked_for_than_the_tool_was_told() {
    let slow = Duration::from_micros(200);
    let bytes = super::buffers::SLOT;
    let (device, handle, tool) = device(119, Tool { bytes, slow, ..Tool::default() });
    let (mut most, mut recommended) = (0, 0);
    // SAFETY: an open device, and two variables; then none.
    unsafe {
        let limits = entry::<GetBufferLimits>(0, c"ompt_get_buffer_limits");
        limits(handle, &mut most, &mut recommended);
        limits(handle, std::ptr::null_mut(), std::ptr::null_mut());
        limits(std::ptr::null_mut(), &mut most, &mut recommended);
    }
    assert!(most > 0 && recommended >= 64 * super::buffers::SLOT, "{most} of {recommended}");
    assert_eq!(call_start(handle), 1);
    in_threads(device, 4, 1_000);
    assert_eq!(call_stop(handle), 1);
    tool.has(4_000);
    let had = tool.most.load(Relaxed);
    // The threads have run ahead of the tool, and waited for it. It counts a buffer as returned before the runtime
    // does.
    assert!((most as usize / 2..=most as usize).contains(&had), "{had} of {most}");
}

#[test]
fn channel_that_many_threads_share_loses_nothing() {
    let (device, handle, tool) = device(103, Tool { bytes: 5 * super::buffers::SLOT, ..Tool::default() });
    assert_eq!(call_start(handle), 1);
    thread::scope(|scope| {
        for id in 1..=4_u64 {
            scope.spawn(move || write(device, id * 32, 1, 20_000));
        }
    });
    assert_eq!(call_stop(handle), 1);
    tool.has(80_000);
}

#[test]
fn records_without_a_buffer_are_counted_until_the_next_start() {
    let (device, handle, tool) = device(104, Tool { bytes: 2 * super::buffers::SLOT, buffers: 3, ..Tool::default() });
    // SAFETY: an open device.
    let answer = unsafe { entry::<SetTraceNative>(0, c"ompt_set_trace_native")(handle, 1, NativeMonFlag::OVERHEAD.0) };
    assert_eq!(answer, SetResult::ALWAYS);
    assert_eq!(call_start(handle), 1);
    write(device, 1, 1, 100);
    assert_eq!(call_flush(handle), 1);
    let there = tool.records.load(Relaxed);
    assert!(there + dropped(handle) >= 100 && (1..=6).contains(&there), "{there} and {}", dropped(handle));
    assert_eq!(tool.given.load(Relaxed), tool.returned.load(Relaxed));
    // The tool has buffers again.
    tool.given.store(0, Relaxed);
    tool.returned.store(0, Relaxed);
    let lost = dropped(handle);
    assert_eq!(call_start(handle), 1);
    write(device, 1, 101, 1);
    assert_eq!(call_stop(handle), 1);
    tool.has(there + 1);
    assert_eq!(dropped(handle), lost);
    let native = tool.native.lock().unwrap();
    assert!(native.contains(&("records dropped".into(), lost, lost)), "{native:?}");
}

/// A tool whose buffers have no room for a record, and that is slow to take one back.
fn useless() -> Tool {
    Tool { bytes: super::buffers::SLOT - 1, slow: Duration::from_millis(20), ..Tool::default() }
}

#[test]
fn stop_returns_only_after_a_buffer_without_room_has_come_back() {
    let (device, handle, tool) = device(105, useless());
    assert_eq!(call_start(handle), 1);
    write(device, 1, 1, 10);
    assert_eq!(call_stop(handle), 1);
    tool.has(0);
    assert_eq!((tool.given.load(Relaxed), dropped(handle)), (1, 10));
}

#[test]
fn flush_returns_only_after_a_buffer_without_room_has_come_back() {
    let (device, handle, tool) = device(115, useless());
    for round in 1..=3 {
        assert_eq!(call_start(handle), 1);
        write(device, 1, round, 1);
        assert_eq!(call_flush(handle), 1);
        tool.has(0);
        assert_eq!(tool.given.load(Relaxed), round as usize);
    }
}

#[test]
fn device_ends_only_after_buffers_without_room_have_come_back() {
    let (device, handle, tool) = device(116, useless());
    assert_eq!(call_start(handle), 1);
    // Each may ask before the tool is known to have nothing of use.
    in_threads(device, 8, 1);
    super::finalize(116);
    tool.has(0);
}

#[test]
fn flush_returns_only_after_the_buffer_that_was_being_asked_for_has_come_back() {
    // With room for the record, and without.
    for (number, bytes, records) in [(117, 1_000, 1), (118, 10, 0)] {
        let slow_request = Duration::from_millis(20);
        let (device, handle, tool) = device(number, Tool { bytes, slow_request, ..Tool::default() });
        assert_eq!(call_start(handle), 1);
        thread::scope(|scope| {
            scope.spawn(|| write(device, 1, 1, 1));
            while tool.asked.load(Relaxed) == 0 {
                thread::yield_now();
            }
            assert_eq!(call_flush(handle), 1);
            tool.has(records);
        });
    }
}

#[test]
fn tool_that_waits_for_its_own_buffers_gets_them_by_a_flush_or_stop() {
    for (number, end) in [(119, call_flush as fn(_) -> _), (120, call_stop)] {
        let (device, handle, tool) = device(number, Tool { bytes: 1_000, pool: 2, ..Tool::default() });
        assert_eq!(call_start(handle), 1);
        thread::scope(|scope| {
            // Of three threads, one is told to wait, until the buffers of the others are full, or handed over.
            (1..=3).for_each(|id| drop(scope.spawn(move || write(device, id, 1, 1))));
            while tool.asked.load(Relaxed) < 3 || tool.given.load(Relaxed) < 2 {
                thread::yield_now();
            }
            assert_eq!(end(handle), 1);
        });
        assert_eq!(call_stop(handle), c_int::from(number == 119));
        tool.has(3);
    }
}

#[test]
fn slow_tool_does_not_hold_up_the_device() {
    let slow = Duration::from_millis(20);
    let (device, handle, tool) = device(106, Tool { bytes: 10 * super::buffers::SLOT, slow, ..Tool::default() });
    assert_eq!(call_start(handle), 1);
    let begin = Instant::now();
    write(device, 1, 1, 100);
    let written = begin.elapsed();
    assert_eq!(call_stop(handle), 1);
    let delivered = begin.elapsed();
    tool.has(100);
    assert!(written < delivered / 2 && delivered >= slow * 10, "{written:?} of {delivered:?}");
}

#[test]
fn flush_from_a_callback_does_not_hang() {
    let (device, handle, tool) =
        device(107, Tool { bytes: 3 * super::buffers::SLOT, flushes: true, ..Tool::default() });
    assert_eq!(call_start(handle), 1);
    in_threads(device, 3, 1_000);
    assert_eq!(call_stop(handle), 1);
    tool.has(3_000);
}

#[test]
fn what_was_recorded_before_a_flush_is_there_after_it() {
    let (device, handle, tool) = device(108, Tool { bytes: 1 << 16, ..Tool::default() });
    assert_eq!(call_start(handle), 1);
    for records in 1..=50 {
        write(device, 1, records, 1);
        assert_eq!(call_flush(handle), 1);
        tool.has(records);
    }
    assert_eq!(call_stop(handle), 1);
    assert_eq!(call_stop(handle), 0, "it has been stopped");
    assert_eq!(call_pause(handle, true), 0, "there is nothing to pause");
    tool.has(50);
}

#[test]
fn pause_loses_nothing_outside_of_it() {
    let (device, handle, tool) = device(109, Tool { bytes: 1 << 16, ..Tool::default() });
    assert_eq!(call_start(handle), 1);
    write(device, 1, 1, 10);
    assert_eq!(call_pause(handle, true), 1);
    write(device, 1, 11, 10);
    assert_eq!(call_pause(handle, false), 1);
    write(device, 1, 21, 10);
    assert_eq!(call_stop(handle), 1);
    tool.has(20);
    assert_eq!((tool.given.load(Relaxed), dropped(handle)), (1, 0), "one buffer served both sides of the pause");
}

#[test]
fn stop_during_activity_leaves_no_buffer_behind() {
    let (device, handle, tool) = device(110, Tool { bytes: 4 * super::buffers::SLOT, ..Tool::default() });
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        for id in 1..=3 {
            let over = &over;
            scope.spawn(move || {
                let mut number = 1;
                while !over.load(Relaxed) {
                    write(device, id, number, 10);
                    number += 10;
                }
            });
        }
        for _ in 0..200 {
            assert_eq!(call_start(handle), 1);
            thread::sleep(Duration::from_micros(200));
            assert_eq!(call_stop(handle), 1);
        }
        over.store(true, SeqCst);
    });
    // A writer may have been asking for a buffer at the last stop: `stop` has waited for it.
    tool.has(tool.records.load(Relaxed));
    assert_eq!(dropped(handle), 0);
}

#[test]
fn two_devices_at_once_keep_apart() {
    let (first, one, tool) = device(111, Tool { bytes: 1 << 12, ..Tool::default() });
    let (second, other, another) = device(112, Tool { bytes: 300, ..Tool::default() });
    assert_eq!((call_start(one), call_start(other)), (1, 1));
    thread::scope(|scope| {
        scope.spawn(move || write(first, 1, 1, 10_000));
        scope.spawn(move || write(second, 1, 1, 5_000));
    });
    assert_eq!((call_stop(one), call_stop(other)), (1, 1));
    tool.has(10_000);
    another.has(5_000);
}

#[test]
fn end_of_a_device_hands_over_what_a_running_trace_has() {
    let (device, handle, tool) = device(113, Tool { bytes: 1 << 12, ..Tool::default() });
    assert_eq!(call_start(handle), 1);
    in_threads(device, 2, 5);
    super::finalize(113);
    tool.has(10);
    write(device, 1, 100, 1);
    tool.has(10);
}

#[test]
fn start_needs_both_callbacks() {
    let (_, handle, _) = device(114, Tool::default());
    // As a tool in C would call it.
    type Raw = unsafe extern "C" fn(*mut c_void, usize, usize) -> c_int;
    let start = entry::<Raw>(0, c"ompt_start_trace");
    // SAFETY: an open device; null is no callback.
    unsafe {
        assert_eq!(start(handle, 0, complete as *const () as usize), 0);
        assert_eq!(start(handle, request as *const () as usize, 0), 0);
        assert_eq!(start(std::ptr::null_mut(), request as *const () as usize, complete as *const () as usize), 0);
    }
}
