//! The records of devices (OpenMP 5.1, sections 4.5.2.23 and 4.6.2): one file for each device's operations, and one for
//! each of its threads. Buffers come on the runtime's own threads. A lock is therefore allowed here: no thread of the
//! program waits for it.

use super::number::number;
use super::session::Session;
use crate::store::clock::Ticker;
use crate::store::{Record, Writer};
use ferromp_tool::ompt::{DeviceTime, TIME_NONE};
use ferromp_tool::start::Hosted;
use ferromp_tool::{Device, Event, RecordOmpt, Records, ScopeEndpoint};
use std::collections::BTreeMap;
use std::ffi::c_int;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The size in bytes of a device's buffer, for some ten thousand records.
const BUFFER: usize = 1 << 20;
/// The time between two comparisons of the clocks, in seconds of the device's clock.
const APART: f64 = 0.01;

/// The devices of this process. A forked child begins anew, because the parent's lock may be held by a thread that it
/// does not have.
static DEVICES: AtomicPtr<Mutex<Devices>> = AtomicPtr::new(std::ptr::null_mut());

type Devices = BTreeMap<c_int, Traced>;

/// A device that traces itself.
struct Traced {
    device: Device,
    session: &'static Session,
    clocks: Clocks,
    /// The files of the device's operations and of its threads, by the device's own numbers. None if a file could not
    /// be created.
    files: BTreeMap<u64, Option<File>>,
    /// Threads that the device has named so far.
    threads: u64,
}

/// A file of records in the order of time.
struct File {
    writer: Writer,
    last: u64,
}

/// The relation of the device's clock to the recorder's clock.
struct Clocks {
    /// One moment on both clocks: translated seconds of the device's clock, and ticks.
    first: (f64, u64),
    ticks_a_second: f64,
}

fn devices() -> MutexGuard<'static, Devices> {
    let mut devices = DEVICES.load(Ordering::Acquire);
    if devices.is_null() {
        let fresh = Box::into_raw(Box::default());
        match DEVICES.compare_exchange(devices, fresh, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => devices = fresh,
            Err(theirs) => {
                // SAFETY: `into_raw` has just made the pointer, and no other thread has seen it.
                drop(unsafe { Box::from_raw(fresh) });
                devices = theirs;
            }
        }
    }
    // SAFETY: never freed once it is there.
    unsafe { &*devices }.lock().unwrap_or_else(PoisonError::into_inner)
}

/// In a forked child: the files are the parent's.
pub fn forget() {
    DEVICES.store(std::ptr::null_mut(), Ordering::Release);
}

/// Notes a device, and starts its trace if the device can trace itself.
pub fn begin<T: Hosted>(device_num: c_int, kind: &str, device: Device, ticker: Ticker) {
    let Some(session) = Session::current() else { return };
    session.note_device(device_num, kind);
    let Some(now) = device.time().and_then(|time| device.translate_time(time)).filter(|_| device.can_trace()) else {
        return;
    };
    let (start, later) = (session.clock().start, session.clock().later);
    let seconds = later.ns.saturating_sub(start.ns) as f64 / 1e9;
    let ticks_a_second = if seconds > 0.0 { later.ticks.saturating_sub(start.ticks) as f64 / seconds } else { 1e9 };
    let clocks = Clocks { first: (now, ticker.now()), ticks_a_second };
    let traced = Traced { device, session, clocks, files: BTreeMap::new(), threads: 0 };
    devices().insert(device_num, traced);
    device.set_trace(None, true);
    if !device.start_trace::<T>(device_num, BUFFER) {
        devices().remove(&device_num);
        session.complain(&format!("device {device_num} ({kind}) does not start its trace"));
    }
}

/// Writes a buffer's records into the files.
pub fn take(device_num: c_int, records: Records<'_>, ticker: Ticker) {
    let mut devices = devices();
    let Some(traced) = devices.get_mut(&device_num) else { return };
    traced.compare_clocks(ticker);
    for record in records {
        if let ferromp_tool::Record::Ompt(record) = record {
            traced.record(device_num, record);
        }
    }
}

/// Ends all files.
pub fn finish() {
    for file in std::mem::take(&mut *devices()).into_values().flat_map(|traced| traced.files.into_values()).flatten() {
        file.writer.finish();
    }
}

impl Traced {
    fn compare_clocks(&mut self, ticker: Ticker) {
        let Some(seconds) = self.device.time().and_then(|time| self.device.translate_time(time)) else { return };
        let ticks = ticker.now();
        let passed = seconds - self.clocks.first.0;
        if passed > APART {
            self.clocks.ticks_a_second = ticks.saturating_sub(self.clocks.first.1) as f64 / passed;
        }
    }

    /// A time of the device's, in ticks.
    fn ticks(&self, time: DeviceTime) -> u64 {
        let seconds = self.device.translate_time(time).unwrap_or(self.clocks.first.0) - self.clocks.first.0;
        let ticks = self.clocks.first.1 as i128 + (seconds * self.clocks.ticks_a_second) as i128;
        ticks.clamp(0, i128::from(u64::MAX)) as u64
    }

    fn nanoseconds(&self, ticks: u64) -> u64 {
        (ticks as f64 / self.clocks.ticks_a_second * 1e9) as u64
    }

    fn record(&mut self, device_num: c_int, record: &RecordOmpt) {
        let begin = self.ticks(record.time);
        match operation(record) {
            Some((op, kind, amount, end)) => {
                let end = if end == TIME_NONE { begin } else { self.ticks(end).max(begin) };
                let length = self.nanoseconds(end - begin);
                let last = self.file(device_num, 0, begin).map_or(0, |file| file.last);
                let late = self.nanoseconds(last.saturating_sub(end));
                self.write(device_num, 0, end, Record::Operation { op, kind, amount, late, length });
            }
            None => {
                for event in event(device_num, record).into_iter().flatten() {
                    self.write(device_num, record.thread_id, begin, event);
                }
            }
        }
    }

    fn write(&mut self, device_num: c_int, thread: u64, time: u64, record: Record) {
        let Some(file) = self.file(device_num, thread, time) else { return };
        file.last = file.last.max(time);
        let full = file.writer.is_full() && !file.writer.is_closed();
        let problem = if full { file.writer.grow().err() } else { None };
        file.writer.record(file.last, &record);
        if let Some(error) = problem {
            self.session.complain(&format!("cannot write on in {}: {error}", self.session.dir().display()));
        }
    }

    /// The file of the device's operations (0) or of one of its threads, made on first use.
    fn file(&mut self, device_num: c_int, thread: u64, begin: u64) -> Option<&mut File> {
        if !self.files.contains_key(&thread) {
            let file = self.make_file(device_num, thread, begin);
            self.files.insert(thread, file);
        }
        self.files.get_mut(&thread)?.as_mut()
    }

    fn make_file(&mut self, device_num: c_int, thread: u64, begin: u64) -> Option<File> {
        let file_number = self.session.number_thread();
        let ours = if thread == 0 { 0 } else { self.threads + 1 };
        self.threads = self.threads.max(ours);
        let name = if ours == 0 { format!("device {device_num}") } else { format!("device {device_num}.{}", ours - 1) };
        match self.session.open_file(file_number, &name, begin) {
            Ok(mut writer) => {
                writer.record(begin, &Record::OnDevice { device: number(device_num), thread: ours });
                Some(File { writer, last: begin })
            }
            Err(error) => {
                self.session.miss_thread();
                self.session.complain(&format!("cannot record {name} in {}: {error}", self.session.dir().display()));
                None
            }
        }
    }
}

/// The operation of a record, if it is about one: the identifier, the `ompt_target_data_op_t` (0 for a kernel), bytes
/// or teams, and the end.
fn operation(record: &RecordOmpt) -> Option<(u64, u64, u64, DeviceTime)> {
    match record.type_ {
        Event::TargetSubmit | Event::TargetSubmitEmi => {
            // SAFETY: the record's type says which member of the union is valid.
            let kernel = unsafe { &record.record.target_kernel };
            Some((kernel.host_op_id, 0, u64::from(kernel.granted_num_teams), kernel.end_time))
        }
        Event::TargetDataOp | Event::TargetDataOpEmi => {
            // SAFETY: as above.
            let op = unsafe { &record.record.target_data_op };
            Some((op.host_op_id, number(op.optype.0), op.bytes as u64, op.end_time))
        }
        _ => None,
    }
}

/// The event of a record of the device's threads; two events if the record both begins and ends a scope.
fn event(device_num: c_int, record: &RecordOmpt) -> [Option<Record>; 2] {
    // Regions and tasks of the device, apart from those of the host and of other devices.
    let id = |id: u64| if id == 0 { 0 } else { (number(device_num) + 1) << 48 | id & ((1 << 48) - 1) };
    let address = |codeptr: *const std::ffi::c_void| codeptr as u64;
    let scope = |endpoint: ScopeEndpoint, begin: Record, end: Record| {
        [(endpoint != ScopeEndpoint::END).then_some(begin), (endpoint != ScopeEndpoint::BEGIN).then_some(end)]
    };
    let body = &record.record;
    // SAFETY: below, each member of the union is read only for the record type that makes it valid.
    unsafe {
        let one = match record.type_ {
            Event::ThreadBegin => Record::ThreadBegin { kind: number(body.thread_begin.thread_type.0) },
            Event::ThreadEnd => Record::ThreadEnd {},
            Event::ParallelBegin => {
                let it = &body.parallel_begin;
                let (parallel, task) = (id(it.parallel_id), id(it.encountering_task_id));
                let (requested, flags) = (u64::from(it.requested_parallelism), number(it.flags));
                Record::ParallelBegin { parallel, task, requested, flags, codeptr: address(it.codeptr_ra) }
            }
            Event::ParallelEnd => {
                let it = &body.parallel_end;
                Record::ParallelEnd { parallel: id(it.parallel_id), codeptr: address(it.codeptr_ra) }
            }
            Event::ImplicitTask => {
                let it = &body.implicit_task;
                let (parallel, task, index) = (id(it.parallel_id), id(it.task_id), u64::from(it.index));
                let (team, flags) = (u64::from(it.actual_parallelism), number(it.flags));
                let begin = Record::ImplicitTaskBegin { parallel, task, team, index, flags };
                return scope(it.endpoint, begin, Record::ImplicitTaskEnd { task, index });
            }
            Event::TaskCreate => {
                let it = &body.task_create;
                let (parent, task, flags) = (id(it.encountering_task_id), id(it.new_task_id), number(it.flags));
                let dependences = u64::from(it.has_dependences != 0);
                Record::TaskCreate { parent, task, flags, dependences, codeptr: address(it.codeptr_ra) }
            }
            Event::TaskSchedule => {
                let it = &body.task_schedule;
                let status = number(it.prior_task_status.0);
                Record::TaskSchedule { prior: id(it.prior_task_id), status, next: id(it.next_task_id) }
            }
            Event::TaskDependence => {
                let it = &body.task_dependence;
                Record::TaskDependence { source: id(it.src_task_id), sink: id(it.sink_task_id) }
            }
            Event::SyncRegion | Event::SyncRegionWait | Event::Reduction => {
                let it = &body.sync_region;
                let (kind, codeptr) = (number(it.kind.0), address(it.codeptr_ra));
                let (begin, end) = match record.type_ {
                    Event::SyncRegion => (Record::SyncBegin { kind, codeptr }, Record::SyncEnd { kind }),
                    Event::SyncRegionWait => (Record::WaitBegin { kind, codeptr }, Record::WaitEnd { kind }),
                    _ => (Record::Reduction { endpoint: 1, codeptr }, Record::Reduction { endpoint: 2, codeptr }),
                };
                return scope(it.endpoint, begin, end);
            }
            Event::Work => {
                let it = &body.work;
                let (kind, count, codeptr) = (number(it.work_type.0), it.count, address(it.codeptr_ra));
                return scope(it.endpoint, Record::WorkBegin { kind, count, codeptr }, Record::WorkEnd { kind });
            }
            Event::Masked => {
                let it = &body.masked;
                let begin = Record::MaskedBegin { codeptr: address(it.codeptr_ra) };
                return scope(it.endpoint, begin, Record::MaskedEnd {});
            }
            Event::MutexAcquire | Event::LockInit => {
                let it = &body.mutex_acquire;
                let (kind, wait, codeptr) = (number(it.kind.0), it.wait_id, address(it.codeptr_ra));
                match record.type_ {
                    Event::MutexAcquire => Record::MutexAcquire { kind, wait, codeptr },
                    _ => Record::LockInit { kind, wait, codeptr },
                }
            }
            Event::MutexAcquired | Event::MutexReleased | Event::LockDestroy => {
                let it = &body.mutex;
                let (kind, wait) = (number(it.kind.0), it.wait_id);
                match record.type_ {
                    Event::MutexAcquired => Record::MutexAcquired { kind, wait },
                    Event::MutexReleased => Record::MutexReleased { kind, wait },
                    _ => Record::LockDestroy { kind, wait },
                }
            }
            Event::NestLock => {
                let it = &body.nest_lock;
                Record::NestLock { endpoint: number(it.endpoint.0), wait: it.wait_id }
            }
            Event::Cancel => {
                let it = &body.cancel;
                Record::Cancel { flags: number(it.flags), codeptr: address(it.codeptr_ra) }
            }
            _ => return [None, None],
        };
        [Some(one), None]
    }
}
