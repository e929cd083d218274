//! Translates the events of OMPT (OpenMP 5.1, section 4.5.2) into records. Regions and tasks get the recorder's own
//! ids, which their data words keep.

use super::local::{self, Local};
use super::number::number;
use super::session::Session;
use super::{devices, fork, mpi, samples};
use crate::store::Record;
use crate::store::clock::Ticker;
use ferromp_tool::{
    CancelFlag, CodePtr, ControlTool, ControlToolResult, DataOp, Device, Dispatch, Event, Frame, Init, Instance,
    Loaded, Mutex, ParallelFlag, Records, Runtime, ScopeEndpoint, SetResult, Slot, SyncHint, SyncRegion, Target,
    TargetDataOp, TaskFlag, TaskStatus, Thread, Tool, WaitId, Work, tool,
};
use std::ffi::{CStr, c_int, c_uint, c_void};

struct Recorder {
    ticker: Ticker,
    /// The host's number among the devices.
    host: c_int,
    /// Whether the runtime knows the functions of constructs.
    names_functions: bool,
    runtime: Runtime<Recorder>,
}

impl Recorder {
    /// Records an event that names no code.
    #[inline(always)]
    fn event(&self, record: Record) {
        let now = self.ticker.now();
        if let Some(local) = Local::get(now) {
            local.record(now, record);
        }
    }

    /// Records an event of a construct or call in the program.
    #[inline(always)]
    fn event_at(&self, codeptr: u64, record: Record) {
        let now = self.ticker.now();
        if let Some(local) = Local::get(now) {
            local.record_at(now, codeptr, record);
        }
    }

    /// Records which function the construct has that the runtime reports, before the construct's own record.
    #[inline(always)]
    fn note_function(&self, local: &mut Local, now: u64, codeptr: u64) {
        if self.names_functions {
            let function = self.runtime.construct_function().map_or(0, |function| function.0 as u64);
            local.note_function(now, codeptr, function);
        }
    }

    /// As [`event`](Self::event), for an event between two sorts of doing: what the thread has used comes first.
    #[inline(always)]
    fn turn(&self, record: Record) {
        let now = self.ticker.now();
        if let Some(local) = Local::get(now) {
            local.meter(now);
            local.record(now, record);
        }
    }

    /// As [`event_at`](Self::event_at), for an event between two sorts of doing: what the thread has used comes first.
    #[inline(always)]
    fn turn_at(&self, codeptr: u64, record: Record) {
        let now = self.ticker.now();
        if let Some(local) = Local::get(now) {
            local.meter(now);
            local.record_at(now, codeptr, record);
        }
    }

    /// Records what the thread's counters have counted, if there are any.
    #[inline(always)]
    fn count(&self) {
        if let Some(local) = Local::existing().filter(|local| local.counts()) {
            local.count(self.ticker.now());
        }
    }

    /// Records the begin, the end, or both of something that has a duration.
    #[inline(always)]
    fn scope(&self, endpoint: ScopeEndpoint, codeptr: u64, begin: Record, end: Record) {
        if endpoint != ScopeEndpoint::END {
            self.event_at(codeptr, begin);
        }
        if endpoint != ScopeEndpoint::BEGIN {
            self.event(end);
        }
    }
}

#[inline(always)]
fn id(slot: Option<Slot<'_>>) -> u64 {
    slot.map_or(0, Slot::get)
}

/// Gives the object of a data word a new id.
#[inline(always)]
fn name(local: &mut Local, slot: Option<Slot<'_>>) -> u64 {
    let Some(slot) = slot else { return 0 };
    let id = local.new_id();
    slot.set(id);
    id
}

/// The kind of a data operation in the record. OpenMP 6.0's kinds of copies have no direction; the devices of the
/// addresses give it.
fn kind_of(op: &DataOp, host: c_int) -> TargetDataOp {
    use TargetDataOp as Kind;
    let to_host = op.dest_device_num == host;
    match op.optype {
        Kind::TRANSFER | Kind::TRANSFER_RECT if to_host => Kind::TRANSFER_FROM_DEVICE,
        Kind::TRANSFER | Kind::TRANSFER_RECT => Kind::TRANSFER_TO_DEVICE,
        Kind::TRANSFER_ASYNC | Kind::TRANSFER_RECT_ASYNC if to_host => Kind::TRANSFER_FROM_DEVICE_ASYNC,
        Kind::TRANSFER_ASYNC | Kind::TRANSFER_RECT_ASYNC => Kind::TRANSFER_TO_DEVICE_ASYNC,
        kind => kind,
    }
}

/// The device of an operation of this kind: its destination, or its source if the source is the device.
fn device_of(op: &DataOp, kind: TargetDataOp) -> c_int {
    use TargetDataOp as Kind;
    let from = [Kind::TRANSFER_FROM_DEVICE, Kind::TRANSFER_FROM_DEVICE_ASYNC, Kind::DELETE, Kind::DELETE_ASYNC];
    if from.contains(&kind) { op.src_device_num } else { op.dest_device_num }
}

#[tool]
impl Tool for Recorder {
    const NAME: &'static str = "trace recorder";

    fn initialize(init: &Init<Self>) -> Result<Self, String> {
        let ticker = Ticker::choose();
        fork::notice();
        samples::found_by(local::sampler);
        let runtime = init.runtime();
        let cpus = runtime.num_procs().and_then(|count| u32::try_from(count).ok()).filter(|count| *count > 0);
        Session::start(ticker, init.runtime_version(), init.omp_version(), cpus)?;
        if let Some(session) = Session::current()
            && let Some(code) = runtime.code_address().and_then(|address| session.code_at(address as u64))
        {
            samples::runtime_is_at(code);
        }
        mpi::attach(ticker);
        let names_functions = runtime.names_construct_functions();
        Ok(Recorder { ticker, host: init.initial_device_num(), names_functions, runtime })
    }

    fn registered(&self, event: Event, answer: SetResult) {
        if answer != SetResult::ALWAYS
            && let Some(session) = Session::current()
        {
            session.note_unavailable(event.name().unwrap_or("?"), answer.name().unwrap_or("?"));
        }
    }

    fn finalize(&self) {
        mpi::detach();
        if let Some(local) = Local::existing() {
            let now = self.ticker.now();
            local.record_usage(now);
            local.count(now);
        }
        local::finish();
        samples::stop();
        devices::finish();
        Session::end();
    }

    fn thread_begin(&self, kind: Thread, _thread: Option<Slot<'_>>) {
        local::revive();
        self.event(Record::ThreadBegin { kind: number(kind.0) });
    }

    fn thread_end(&self, _thread: Option<Slot<'_>>) {
        let now = self.ticker.now();
        if let Some(local) = Local::existing() {
            local.record_usage(now);
            local.count(now);
            local.record(now, Record::ThreadEnd {});
        }
        local::finish();
    }

    fn parallel_begin(
        &self,
        task: Option<Slot<'_>>,
        _frame: Option<&Frame>,
        parallel: Option<Slot<'_>>,
        requested: c_uint,
        flags: ParallelFlag,
        codeptr: CodePtr,
    ) {
        let now = self.ticker.now();
        let Some(local) = Local::get(now) else { return };
        local.calibrate(now);
        local.meter(now);
        let (task, codeptr) = (id(task), codeptr.0 as u64);
        let parallel = name(local, parallel);
        let (requested, flags) = (u64::from(requested), number(flags.0));
        self.note_function(local, now, codeptr);
        local.record_at(now, codeptr, Record::ParallelBegin { parallel, task, requested, flags, codeptr });
    }

    fn parallel_end(
        &self,
        parallel: Option<Slot<'_>>,
        _task: Option<Slot<'_>>,
        _flags: ParallelFlag,
        codeptr: CodePtr,
    ) {
        let codeptr = codeptr.0 as u64;
        self.turn_at(codeptr, Record::ParallelEnd { parallel: id(parallel), codeptr });
    }

    fn implicit_task(
        &self,
        endpoint: ScopeEndpoint,
        parallel: Option<Slot<'_>>,
        task: Option<Slot<'_>>,
        team: c_uint,
        index: c_uint,
        flags: TaskFlag,
    ) {
        let now = self.ticker.now();
        let local = if endpoint == ScopeEndpoint::END { Local::existing() } else { Local::get(now) };
        let Some(local) = local else { return };
        let (team, index) = (u64::from(team), u64::from(index));
        local.meter(now);
        local.count(now);
        if endpoint != ScopeEndpoint::END {
            let (parallel, task) = (id(parallel), name(local, task));
            let flags = number(flags.0);
            local.begin_part();
            local.record(now, Record::ImplicitTaskBegin { parallel, task, team, index, flags });
        }
        if endpoint != ScopeEndpoint::BEGIN {
            local.end_part();
            local.record(now, Record::ImplicitTaskEnd { task: id(task), index });
        }
    }

    fn task_create(
        &self,
        parent: Option<Slot<'_>>,
        _frame: Option<&Frame>,
        task: Option<Slot<'_>>,
        flags: TaskFlag,
        dependences: bool,
        codeptr: CodePtr,
    ) {
        let now = self.ticker.now();
        let Some(local) = Local::get(now) else { return };
        let (parent, codeptr) = (id(parent), codeptr.0 as u64);
        let task = name(local, task);
        // Nothing happens before an undeferred task starts, unless the task waits for others.
        let starts_at_once = flags.contains(TaskFlag::UNDEFERRED) && !dependences;
        let (flags, dependences) = (number(flags.0), u64::from(dependences));
        if starts_at_once {
            local.meter(now);
        }
        self.note_function(local, now, codeptr);
        local.record_at(now, codeptr, Record::TaskCreate { parent, task, flags, dependences, codeptr });
        if starts_at_once {
            local.starts_at_once();
        }
    }

    fn task_schedule(&self, prior: Option<Slot<'_>>, status: TaskStatus, next: Option<Slot<'_>>) {
        let (prior, next) = (id(prior), id(next));
        if status == TaskStatus::SWITCH
            && let Some(local) = Local::existing()
            && let Some(created) = local.just_created(next)
        {
            // The creation has read the clock already.
            local.record(created, Record::TaskSchedule { prior, status: number(TaskStatus::SWITCH.0), next });
            return;
        }
        self.turn(Record::TaskSchedule { prior, status: number(status.0), next });
    }

    fn task_dependence(&self, source: Option<Slot<'_>>, sink: Option<Slot<'_>>) {
        self.event(Record::TaskDependence { source: id(source), sink: id(sink) });
    }

    fn sync_region(
        &self,
        kind: SyncRegion,
        endpoint: ScopeEndpoint,
        _parallel: Option<Slot<'_>>,
        _task: Option<Slot<'_>>,
        codeptr: CodePtr,
    ) {
        let (kind, codeptr) = (number(kind.0), codeptr.0 as u64);
        self.scope(endpoint, codeptr, Record::SyncBegin { kind, codeptr }, Record::SyncEnd { kind });
    }

    fn sync_region_wait(
        &self,
        kind: SyncRegion,
        endpoint: ScopeEndpoint,
        _parallel: Option<Slot<'_>>,
        _task: Option<Slot<'_>>,
        codeptr: CodePtr,
    ) {
        let at_end = kind == SyncRegion::BARRIER_IMPLICIT_PARALLEL;
        let (kind, codeptr) = (number(kind.0), codeptr.0 as u64);
        if endpoint != ScopeEndpoint::END {
            if at_end {
                // A worker may wait here until the next region begins, and spin.
                self.count();
            }
            self.turn_at(codeptr, Record::WaitBegin { kind, codeptr });
        }
        if endpoint != ScopeEndpoint::BEGIN {
            self.turn(Record::WaitEnd { kind });
        }
    }

    fn reduction(
        &self,
        _kind: SyncRegion,
        endpoint: ScopeEndpoint,
        _parallel: Option<Slot<'_>>,
        _task: Option<Slot<'_>>,
        codeptr: CodePtr,
    ) {
        let codeptr = codeptr.0 as u64;
        let [begin, end] = [ScopeEndpoint::BEGIN, ScopeEndpoint::END]
            .map(|endpoint| Record::Reduction { endpoint: number(endpoint.0), codeptr });
        self.scope(endpoint, codeptr, begin, end);
    }

    fn work(
        &self,
        kind: Work,
        endpoint: ScopeEndpoint,
        _parallel: Option<Slot<'_>>,
        _task: Option<Slot<'_>>,
        count: u64,
        codeptr: CodePtr,
    ) {
        let (kind, codeptr) = (number(kind.0), codeptr.0 as u64);
        let now = self.ticker.now();
        let Some(local) = Local::get(now) else { return };
        if endpoint != ScopeEndpoint::END {
            local.begin_work(kind);
            local.record_at(now, codeptr, Record::WorkBegin { kind, count, codeptr });
        }
        if endpoint != ScopeEndpoint::BEGIN {
            local.end_work(now, kind);
            local.record(now, Record::WorkEnd { kind });
        }
    }

    fn dispatch(&self, _parallel: Option<Slot<'_>>, _task: Option<Slot<'_>>, kind: Dispatch, instance: Instance) {
        let (start, iterations) = match instance {
            Instance::Chunk(chunk) if kind != Dispatch::TASKLOOP_CHUNK => (chunk.start, chunk.iterations),
            Instance::Section(_) => (0, 0),
            _ => return,
        };
        let now = self.ticker.now();
        let Some(local) = Local::get(now) else { return };
        if kind == Dispatch::SECTION {
            let (first, count) = self.runtime.sections().unwrap_or((0, 1));
            local.section(now, first, count);
        } else {
            local.chunk(now, start, iterations);
        }
    }

    fn masked(&self, endpoint: ScopeEndpoint, _parallel: Option<Slot<'_>>, _task: Option<Slot<'_>>, codeptr: CodePtr) {
        let codeptr = codeptr.0 as u64;
        self.scope(endpoint, codeptr, Record::MaskedBegin { codeptr }, Record::MaskedEnd {});
    }

    fn mutex_acquire(&self, kind: Mutex, _hint: SyncHint, _impl: c_uint, wait: WaitId, codeptr: CodePtr) {
        let codeptr = codeptr.0 as u64;
        self.turn_at(codeptr, Record::MutexAcquire { kind: number(kind.0), wait, codeptr });
    }

    fn mutex_acquired(&self, kind: Mutex, wait: WaitId, _codeptr: CodePtr) {
        self.turn(Record::MutexAcquired { kind: number(kind.0), wait });
    }

    fn mutex_released(&self, kind: Mutex, wait: WaitId, _codeptr: CodePtr) {
        self.event(Record::MutexReleased { kind: number(kind.0), wait });
    }

    fn lock_init(&self, kind: Mutex, _hint: SyncHint, _impl: c_uint, wait: WaitId, codeptr: CodePtr) {
        let codeptr = codeptr.0 as u64;
        self.event_at(codeptr, Record::LockInit { kind: number(kind.0), wait, codeptr });
    }

    fn lock_destroy(&self, kind: Mutex, wait: WaitId, _codeptr: CodePtr) {
        self.event(Record::LockDestroy { kind: number(kind.0), wait });
    }

    fn nest_lock(&self, endpoint: ScopeEndpoint, wait: WaitId, _codeptr: CodePtr) {
        self.event(Record::NestLock { endpoint: number(endpoint.0), wait });
    }

    fn cancel(&self, _task: Option<Slot<'_>>, flags: CancelFlag, codeptr: CodePtr) {
        let codeptr = codeptr.0 as u64;
        self.event_at(codeptr, Record::Cancel { flags: number(flags.0), codeptr });
    }

    fn device_initialize(&self, number: c_int, kind: Option<&CStr>, device: Device, _documentation: Option<&CStr>) {
        let kind = kind.map_or_else(String::new, |kind| kind.to_string_lossy().into_owned());
        devices::begin::<Self>(number, &kind, device, self.ticker);
    }

    fn device_load(&self, _number: c_int, loaded: Loaded<'_>) {
        // An unknown address is 0, or all ones.
        let known = |address: usize| address != 0 && address != usize::MAX;
        if let Some(session) = Session::current()
            && known(loaded.host_addr)
            && known(loaded.device_addr)
        {
            // SAFETY: the runtime says that the code lies there, in the program's file or library, which is loaded.
            let image = unsafe { std::slice::from_raw_parts(loaded.host_addr as *const u8, loaded.bytes) };
            session.keep_image(loaded.device_addr as u64, image);
        }
    }

    fn device_records(&self, number: c_int, records: Records<'_>) {
        devices::take(number, records, self.ticker);
    }

    fn target_emi(
        &self,
        kind: Target,
        endpoint: ScopeEndpoint,
        device: c_int,
        _task: Option<Slot<'_>>,
        _target_task: Option<Slot<'_>>,
        target: Option<Slot<'_>>,
        codeptr: CodePtr,
    ) {
        let now = self.ticker.now();
        let Some(local) = Local::get(now) else { return };
        if endpoint != ScopeEndpoint::END {
            let target = name(local, target);
            let (kind, device, codeptr) = (number(kind.0), number(device), codeptr.0 as u64);
            self.note_function(local, now, codeptr);
            local.record_at(now, codeptr, Record::TargetBegin { target, kind, device, codeptr });
        }
        if endpoint != ScopeEndpoint::BEGIN {
            local.record(now, Record::TargetEnd { target: id(target) });
        }
    }

    fn target_data_op_emi(
        &self,
        endpoint: ScopeEndpoint,
        _target_task: Option<Slot<'_>>,
        _target: Option<Slot<'_>>,
        op: Option<Slot<'_>>,
        what: DataOp,
        codeptr: CodePtr,
    ) {
        let now = self.ticker.now();
        let Some(local) = Local::get(now) else { return };
        if endpoint != ScopeEndpoint::END {
            let op = name(local, op);
            let kind = kind_of(&what, self.host);
            let device = number(device_of(&what, kind));
            let (kind, bytes, codeptr) = (number(kind.0), what.bytes as u64, codeptr.0 as u64);
            local.record_at(now, codeptr, Record::DataOpBegin { op, kind, device, bytes, codeptr });
        }
        if endpoint != ScopeEndpoint::BEGIN {
            local.record(now, Record::DataOpEnd { op: id(op) });
        }
    }

    fn target_submit_emi(
        &self,
        endpoint: ScopeEndpoint,
        _target: Option<Slot<'_>>,
        op: Option<Slot<'_>>,
        teams: c_uint,
    ) {
        let now = self.ticker.now();
        let Some(local) = Local::get(now) else { return };
        if endpoint != ScopeEndpoint::END {
            let op = name(local, op);
            local.record(now, Record::SubmitBegin { op, teams: u64::from(teams) });
        }
        if endpoint != ScopeEndpoint::BEGIN {
            local.record(now, Record::SubmitEnd { op: id(op) });
        }
    }

    /// The trace notes the command. The recorder takes no commands, so the framework answers *ignored*.
    fn control_tool(
        &self,
        command: ControlTool,
        modifier: u64,
        _argument: *mut c_void,
        codeptr: CodePtr,
    ) -> ControlToolResult {
        let codeptr = codeptr.0 as u64;
        self.event_at(codeptr, Record::ControlTool { command: number(command.0), modifier, codeptr });
        ControlToolResult::IGNORED
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copy_without_a_direction_has_that_of_its_devices() {
        let op = |optype, from, to| DataOp {
            optype,
            src_addr: 0,
            src_device_num: from,
            dest_addr: 0,
            dest_device_num: to,
            bytes: 8,
        };
        let recorded = |optype, from, to| {
            let op = op(optype, from, to);
            let kind = kind_of(&op, 4);
            (kind, device_of(&op, kind))
        };
        use TargetDataOp as Kind;
        assert_eq!(recorded(Kind::TRANSFER, 4, 1), (Kind::TRANSFER_TO_DEVICE, 1));
        assert_eq!(recorded(Kind::TRANSFER, 1, 4), (Kind::TRANSFER_FROM_DEVICE, 1));
        assert_eq!(recorded(Kind::TRANSFER_ASYNC, 1, 4), (Kind::TRANSFER_FROM_DEVICE_ASYNC, 1));
        assert_eq!(recorded(Kind::TRANSFER_RECT_ASYNC, 4, 0), (Kind::TRANSFER_TO_DEVICE_ASYNC, 0));
        assert_eq!(recorded(Kind::MEMSET_ASYNC, 4, 2), (Kind::MEMSET_ASYNC, 2));
        // A value of a later version, and a value of a program that gives no name.
        assert_eq!(recorded(TargetDataOp(77), 4, 2), (TargetDataOp(77), 2));
    }
}
