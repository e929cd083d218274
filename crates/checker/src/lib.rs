//! An OMPT tool that checks every event of the program it is loaded into against a model of the specification, and
//! reports what the program itself does wrong with OpenMP. OpenMP 5.1, sections 4.5.2 and 4.6.1; `rules` has the list.
//!
//! Load the tool with `OMP_TOOL_LIBRARIES=libferromp_checker.so`, or let `ferromp check` do so. When the runtime ends,
//! the tool writes its first findings and the line `ferromp-checker: N events, M violations`. They are appended to the
//! file named by `FERROMP_CHECKER_OUT`, or go to stderr. If there are violations, the tool ends the program with status
//! 87.
//!
//! `FERROMP_CHECKER_IGNORE` names rules that are not checked. With `FERROMP_CHECKER_FORMAT=json` each finding becomes a
//! line of the file the moment it is found. `FERROMP_CHECKER_COVERAGE` names a file for counts of the events by kind.

mod coverage;
mod happening;
mod library;
mod model;
mod report;
mod rules;
mod shared;
mod stack;
mod watch;

use ferromp_tool::*;
use happening::{Happening, Word, named};
use library::RuntimeLibrary;
use model::{Family, Implicit, Model, Says, Seen, SeenTask, TargetSays};
pub use rules::{Blame, Rule};
use shared::MODEL;
use spin::mutex::SpinMutexGuard;
use std::cell::Cell;
use std::ffi::{CStr, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Without memory the program ends with one line that names the checker.
#[global_allocator]
static HEAP: Heap = Heap("ferromp-checker");

/// The process whose events the model describes.
static PROCESS: AtomicU32 = AtomicU32::new(0);

thread_local! {
    /// This thread's place in `Model::threads`.
    static NUMBER: Cell<Option<usize>> = const { Cell::new(None) };
}

unsafe extern "C" fn before_fork() {
    std::mem::forget(MODEL.lock());
}

unsafe extern "C" fn after_fork_in_parent() {
    // SAFETY: `before_fork` took the lock on this thread and did not let go of it.
    unsafe { MODEL.force_unlock() };
}

unsafe extern "C" fn after_fork_in_child() {
    adopt_child();
}

/// Makes the model fit the child of a fork and unlocks the model, once. The runtime's own handler may run before ours
/// and send events, so each event calls this function as well.
fn adopt_child() {
    if PROCESS.swap(std::process::id(), Relaxed) != std::process::id() {
        // SAFETY: `before_fork` took the lock for this thread, the only one that the child has.
        unsafe { (*MODEL.as_mut_ptr()).forked(NUMBER.get()) };
        // SAFETY: as above.
        unsafe { MODEL.force_unlock() };
        watch::begin();
    }
}

struct Checker {
    runtime: Runtime<Checker>,
    /// Whether the runtime knows how many devices there are: libomp says 1 whatever there is.
    counts_devices: bool,
    library: RuntimeLibrary,
}

/// One event in progress: the locked model, the thread, and what the entry points answer.
struct Checked {
    model: SpinMutexGuard<'static, Model>,
    thread: usize,
    seen: Seen,
}

/// What an event says beside its arguments.
#[derive(Default)]
struct Also {
    /// The construct's place in the program.
    code: CodePtr,
    /// Whether the construct must have a place in the program.
    by_program: bool,
    /// The kind of synchronisation region or mutex, and the mutex.
    kind: Option<(i32, u64)>,
    /// The entry points are not compared: the event comes where tasks or regions change.
    changing: bool,
}

impl Also {
    fn at(code: CodePtr) -> Also {
        Also { code, by_program: true, ..Also::default() }
    }
}

impl Checker {
    fn see(&self) -> Seen {
        let word = |slot: Slot<'_>| (slot.addr(), slot.get());
        let (state, wait_id) = self.runtime.state();
        let thread = self.runtime.thread_data(|slot| slot.get());
        let task = self.runtime.task_info(0, |task| SeenTask {
            data: task.task_data.map(word),
            region: task.parallel_data.map(Slot::get),
        });
        let region = self.runtime.parallel_info(0, |region| (region.parallel_data.map(Slot::get), region.team_size));
        let no_task = matches!(self.runtime.task_info(0, |_| ()), Err(Unavailable::None));
        let no_region = matches!(self.runtime.parallel_info(0, |_| ()), Err(Unavailable::None));
        let gone = self.runtime.thread_data(|_| ()).is_none() || no_task && no_region;
        Seen { thread, task, region, state: state.0, wait_id, gone }
    }

    /// Begins to check an event: what holds for all.
    fn enter(&self, event: Event, arguments: &[Word], also: &Also) -> Checked {
        adopt_child();
        let seen = self.see();
        let mut model = MODEL.lock();
        let thread = NUMBER.get().unwrap_or_else(|| {
            model.threads.push(model::Thread::default());
            model.threads.len() - 1
        });
        NUMBER.set(Some(thread));
        model.happens(thread, Happening::new(event, arguments));
        model.expect_release(thread, event, also.kind.map_or(0, |(_, id)| id));
        if model.finalized {
            model.violation(Rule::AfterFinalize, thread, "an event after the finaliser");
            let events = model.events;
            model.report.close(events);
        }
        let mut at = Checked { model, thread, seen };
        self.known_thread(&mut at, event, also);
        self.code(&mut at, also);
        if !also.changing {
            at.model.compare(thread, &at.seen);
        }
        at
    }

    /// Checks that the thread has begun and not ended, its data word and its state.
    fn known_thread(&self, at: &mut Checked, event: Event, also: &Also) {
        // Devices go on whatever thread ends the program. Any thread may fulfil a task or control the tool, and
        // becomes OpenMP's by that.
        let of_device = Event::DeviceInitialize.0..=Event::DeviceUnload.0;
        let by_anyone = of_device.contains(&event.0);
        let this = this_thread(at);
        if this.ended && !of_device.contains(&event.0) {
            at.model.violation(Rule::AfterThreadEnd, at.thread, "an event after thread_end");
        } else if this.begun && event != Event::ThreadBegin {
            let value = this.value;
            if at.model.shuts_down(&at.seen) {
                return;
            }
            if value != 0 && at.seen.thread != Some(value) {
                let found = happening::object(at.seen.thread.unwrap_or(0));
                let text = format!("ompt_get_thread_data gives {found}, not {}", happening::object(value));
                at.model.violation(Rule::ThreadData, at.thread, text);
            }
            at.model.check_state(at.thread, event, &at.seen, also.kind);
        } else if !this.begun && event != Event::ThreadBegin && !by_anyone {
            this.begun = true;
            at.model.violation(Rule::ThreadBegin, at.thread, "an event before thread_begin");
        }
    }

    /// Checks where a construct lies: outside of the runtime, and somewhere if required.
    fn code(&self, at: &mut Checked, also: &Also) {
        match also.code.addr() {
            Some(address) if self.library.contains(address) => {
                at.model.violation(Rule::CodeptrInRuntime, at.thread, format!("{address:#x} lies in the runtime"));
            }
            None if also.by_program => at.model.violation(Rule::CodeptrNull, at.thread, "no code address"),
            _ => {}
        }
    }

    /// Checks the frame of a task that has called the runtime.
    fn frame(&self, at: &mut Checked, frame: Option<&Frame>) {
        if frame.is_none_or(|frame| frame.enter_frame.value() == 0) {
            at.model.violation(Rule::EnterFrame, at.thread, "the encountering task has no enter frame");
        }
    }

    /// An event of a device itself.
    fn device(&self, event: Event, number: c_int, module: Option<u64>) -> Checked {
        let words = [Word::Number(number as u64), Word::Number(module.unwrap_or(0))];
        self.enter(event, &words, &Also { changing: true, ..Also::default() })
    }

    /// Any event of a scope with two ends.
    fn scope(&self, says: &Says<'_>) {
        let event = says.family.event();
        let kind = match says.family {
            Family::Masked => None,
            Family::Work => Some(named(Work(says.kind).name(), says.kind)),
            _ => Some(named(SyncRegion(says.kind).name(), says.kind)),
        };
        let mut words: Vec<Word> = Vec::with_capacity(happening::WORDS);
        words.extend(kind);
        words.extend([named(says.endpoint.name(), says.endpoint.0), says.parallel.into(), says.task.into()]);
        words.extend((says.family == Family::Work).then_some(Word::Number(says.count)));
        words.push(says.code.into());
        let sync = matches!(says.family, Family::SyncRegion | Family::SyncRegionWait);
        let kinds = [SyncRegion::BARRIER_EXPLICIT, SyncRegion::TASKWAIT, SyncRegion::TASKGROUP];
        let also = Also {
            code: says.code,
            by_program: !sync && says.family != Family::Reduction || sync && kinds.contains(&SyncRegion(says.kind)),
            kind: sync.then_some((says.kind, 0)),
            changing: Model::may_lack_region(says),
        };
        let mut at = self.enter(event, &words, &also);
        at.model.scope(at.thread, says);
    }

    /// Any event of a mutex; `before` for those that have hint and implementation.
    fn mutex(&self, event: Event, kind: Mutex, before: Option<(c_uint, c_uint)>, id: WaitId, code: CodePtr) {
        let mut words: Vec<Word> = Vec::with_capacity(happening::WORDS);
        words.push(named(kind.name(), kind.0));
        words
            .extend(before.into_iter().flat_map(|(hint, used)| [Word::Number(hint.into()), Word::Number(used.into())]));
        words.extend([Word::Address(id), code.into()]);
        let also = Also { kind: Some((kind.0, id)), ..Also::at(code) };
        let mut at = self.enter(event, &words, &also);
        match event {
            Event::LockInit => at.model.lock_init(at.thread, kind, id),
            Event::LockDestroy => at.model.lock_destroy(at.thread, kind, id, code),
            Event::MutexAcquire => at.model.mutex_acquire(at.thread, kind, id, code),
            Event::MutexAcquired => at.model.mutex_acquired(at.thread, kind, id, code),
            _ => at.model.mutex_released(at.thread, kind, id, code),
        }
    }
}

/// Bytes of a device's trace buffer. The buffers are small, so that a device requests and returns many of them.
const TRACE_BUFFER: usize = 8192;

#[tool]
impl Tool for Checker {
    const NAME: &'static str = "ferromp-checker";

    fn initialize(init: &Init<Self>) -> Result<Self, String> {
        PROCESS.store(std::process::id(), Relaxed);
        // SAFETY: the three functions are fit to run around a fork.
        let answer =
            unsafe { libc::pthread_atfork(Some(before_fork), Some(after_fork_in_parent), Some(after_fork_in_child)) };
        if answer != 0 {
            return Err("pthread_atfork failed".into());
        }
        watch::begin();
        let runtime = init.runtime();
        let library = RuntimeLibrary::of(runtime.code_address());
        let mut model = MODEL.lock();
        model.report.begin(init.runtime_version());
        model.library = library.clone();
        model.later = init.omp_version() > ferromp_tool::ompt::OMP_VERSION_6_0;
        drop(model);
        let counts_devices = runtime.num_devices() == Some(init.initial_device_num());
        Ok(Checker { runtime, counts_devices, library })
    }

    fn registered(&self, event: Event, answer: SetResult) {
        let mut model = MODEL.lock();
        match answer {
            SetResult::SOMETIMES => model.unpaired.push(event),
            SetResult::ALWAYS => model.always.push(event),
            _ => {}
        }
        if event == Event::Cancel && answer != SetResult::ALWAYS {
            // What is cancelled then, and by whom, cannot be known.
            let wanted = std::env::var("OMP_CANCELLATION").unwrap_or_default().to_ascii_lowercase();
            model.blind_to_cancel = matches!(wanted.trim(), "true" | "1" | "yes" | "on");
        }
    }

    fn finalize(&self) {
        adopt_child();
        let mut model = MODEL.lock();
        model.finalized = true;
        model.finalize(NUMBER.get());
        model.finalize_devices(NUMBER.get());
        let events = model.events;
        model.coverage.write();
        model.report.close(events);
    }

    fn thread_begin(&self, thread_type: Thread, thread_data: Option<Slot<'_>>) {
        let words = [named(thread_type.name(), thread_type.0), thread_data.into()];
        let mut at = self.enter(Event::ThreadBegin, &words, &Also { changing: true, ..Also::default() });
        let this = this_thread(&mut at);
        if this.begun && !this.forked {
            at.model.violation(Rule::ThreadBegin, at.thread, "thread_begin a second time");
        }
        this_thread(&mut at).begin(thread_type == Thread::WORKER);
        if at.model.is_unknown(thread_type.name()) {
            at.model.violation(Rule::ThreadBegin, at.thread, format!("the type is {thread_type:?}"));
        }
        if let Some(value) = at.model.mark_thread(at.thread, thread_data) {
            this_thread(&mut at).value = value;
            let seen = self.runtime.thread_data(|slot| slot.get());
            if seen != Some(value) {
                let found = happening::object(seen.unwrap_or(0));
                at.model.violation(Rule::ThreadData, at.thread, format!("ompt_get_thread_data gives {found}"));
            }
        }
    }

    fn thread_end(&self, thread_data: Option<Slot<'_>>) {
        let mut at = self.enter(Event::ThreadEnd, &[thread_data.into()], &Also { changing: true, ..Also::default() });
        let (thread, found) = (at.thread, thread_data.map_or(0, Slot::get));
        let this = this_thread(&mut at);
        this.ended = true;
        let (value, open) = (this.value, this.implicit.last().copied());
        if found != value {
            let text = format!("the data word is {}, not {}", happening::object(found), happening::object(value));
            at.model.violation(Rule::ThreadData, thread, text);
        }
        if let Some((task, _)) = open
            && !at.model.is_inside_region()
        {
            let text = format!("the thread ends while {} has not ended", happening::object(task));
            at.model.violation(Rule::ImplicitTaskOpen, thread, text);
        }
        this_thread(&mut at).ring.forget();
    }

    fn parallel_begin(
        &self,
        encountering_task_data: Option<Slot<'_>>,
        encountering_task_frame: Option<&Frame>,
        parallel_data: Option<Slot<'_>>,
        requested_parallelism: c_uint,
        flags: ParallelFlag,
        codeptr_ra: CodePtr,
    ) {
        let requested = Word::Number(requested_parallelism.into());
        let words =
            [encountering_task_data.into(), parallel_data.into(), requested, Word::Parallel(flags), codeptr_ra.into()];
        let mut at = self.enter(Event::ParallelBegin, &words, &Also::at(codeptr_ra));
        self.frame(&mut at, encountering_task_frame);
        at.model.parallel_begin(
            at.thread,
            parallel_data,
            encountering_task_data,
            requested_parallelism,
            flags,
            codeptr_ra,
        );
    }

    fn parallel_end(
        &self,
        parallel_data: Option<Slot<'_>>,
        encountering_task_data: Option<Slot<'_>>,
        flags: ParallelFlag,
        codeptr_ra: CodePtr,
    ) {
        let words = [parallel_data.into(), encountering_task_data.into(), Word::Parallel(flags), codeptr_ra.into()];
        let mut at = self.enter(Event::ParallelEnd, &words, &Also::at(codeptr_ra));
        at.model.parallel_end(at.thread, parallel_data, encountering_task_data, flags);
    }

    fn task_create(
        &self,
        encountering_task_data: Option<Slot<'_>>,
        encountering_task_frame: Option<&Frame>,
        new_task_data: Option<Slot<'_>>,
        flags: TaskFlag,
        has_dependences: bool,
        codeptr_ra: CodePtr,
    ) {
        let dependences = Word::Number(has_dependences.into());
        let words =
            [encountering_task_data.into(), new_task_data.into(), Word::Task(flags), dependences, codeptr_ra.into()];
        let also = Also { by_program: flags.contains(TaskFlag::EXPLICIT), ..Also::at(codeptr_ra) };
        let mut at = self.enter(Event::TaskCreate, &words, &also);
        self.frame(&mut at, encountering_task_frame);
        at.model.task_create(at.thread, encountering_task_data, new_task_data, flags, has_dependences, codeptr_ra);
    }

    fn task_schedule(
        &self,
        prior_task_data: Option<Slot<'_>>,
        prior_task_status: TaskStatus,
        next_task_data: Option<Slot<'_>>,
    ) {
        let words =
            [prior_task_data.into(), named(prior_task_status.name(), prior_task_status.0), next_task_data.into()];
        let mut at = self.enter(Event::TaskSchedule, &words, &Also { changing: true, ..Also::default() });
        at.model.task_schedule(at.thread, prior_task_data, prior_task_status, next_task_data);
    }

    fn implicit_task(
        &self,
        endpoint: ScopeEndpoint,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        actual_parallelism: c_uint,
        index: c_uint,
        flags: TaskFlag,
    ) {
        let (size, number) = (Word::Number(actual_parallelism.into()), Word::Number(index.into()));
        let words = [
            named(endpoint.name(), endpoint.0),
            parallel_data.into(),
            task_data.into(),
            size,
            number,
            Word::Task(flags),
        ];
        let mut at = self.enter(Event::ImplicitTask, &words, &Also { changing: true, ..Also::default() });
        let (thread, seen) = (at.thread, &at.seen);
        let says = Implicit { parallelism: actual_parallelism, index, flags };
        at.model.implicit_task(thread, endpoint, parallel_data, task_data, &says, seen);
        if endpoint == ScopeEndpoint::BEGIN {
            at.seen = self.see();
            at.model.compare(thread, &at.seen);
        }
    }

    fn control_tool(
        &self,
        command: ControlTool,
        modifier: u64,
        _arg: *mut c_void,
        codeptr_ra: CodePtr,
    ) -> ControlToolResult {
        let words = [Word::Number(command.0 as u64), Word::Number(modifier), codeptr_ra.into()];
        self.enter(Event::ControlTool, &words, &Also { changing: true, ..Also::at(codeptr_ra) });
        ControlToolResult::SUCCESS
    }

    fn sync_region_wait(
        &self,
        kind: SyncRegion,
        endpoint: ScopeEndpoint,
        parallel: Option<Slot<'_>>,
        task: Option<Slot<'_>>,
        code: CodePtr,
    ) {
        self.scope(&Says { family: Family::SyncRegionWait, kind: kind.0, endpoint, parallel, task, code, count: 0 });
    }

    fn sync_region(
        &self,
        kind: SyncRegion,
        endpoint: ScopeEndpoint,
        parallel: Option<Slot<'_>>,
        task: Option<Slot<'_>>,
        code: CodePtr,
    ) {
        self.scope(&Says { family: Family::SyncRegion, kind: kind.0, endpoint, parallel, task, code, count: 0 });
    }

    fn reduction(
        &self,
        kind: SyncRegion,
        endpoint: ScopeEndpoint,
        parallel: Option<Slot<'_>>,
        task: Option<Slot<'_>>,
        code: CodePtr,
    ) {
        self.scope(&Says { family: Family::Reduction, kind: kind.0, endpoint, parallel, task, code, count: 0 });
    }

    fn work(
        &self,
        work_type: Work,
        endpoint: ScopeEndpoint,
        parallel: Option<Slot<'_>>,
        task: Option<Slot<'_>>,
        count: u64,
        code: CodePtr,
    ) {
        self.scope(&Says { family: Family::Work, kind: work_type.0, endpoint, parallel, task, code, count });
    }

    fn masked(&self, endpoint: ScopeEndpoint, parallel: Option<Slot<'_>>, task: Option<Slot<'_>>, code: CodePtr) {
        self.scope(&Says { family: Family::Masked, kind: 0, endpoint, parallel, task, code, count: 0 });
    }

    fn dispatch(
        &self,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        kind: Dispatch,
        instance: Instance,
    ) {
        let (chunk, place) = match instance {
            Instance::Iteration(number) => (Some((number, 1)), number),
            Instance::Chunk(chunk) => (Some((chunk.start, chunk.iterations)), chunk.start),
            Instance::Section(code) => (None, code.0 as u64),
            Instance::Other(word) => (None, word),
        };
        let first = if chunk.is_some() { Word::Number(place) } else { Word::Address(place) };
        let many = Word::Number(chunk.map_or(0, |(_, many)| many));
        let words = [parallel_data.into(), task_data.into(), named(kind.name(), kind.0), first, many];
        let code = if let Instance::Section(code) = instance { code } else { CodePtr(0) };
        let mut at = self.enter(Event::Dispatch, &words, &Also { code, ..Also::default() });
        at.model.dispatch(at.thread, parallel_data, task_data, kind, chunk);
    }

    fn dependences(&self, task_data: Option<Slot<'_>>, deps: &[Dependence]) {
        let words = [task_data.into(), Word::Number(deps.len() as u64)];
        let mut at = self.enter(Event::Dependences, &words, &Also::default());
        at.model.dependences(at.thread, task_data, deps);
    }

    fn task_dependence(&self, src_task_data: Option<Slot<'_>>, sink_task_data: Option<Slot<'_>>) {
        let words = [src_task_data.into(), sink_task_data.into()];
        let mut at = self.enter(Event::TaskDependence, &words, &Also { changing: true, ..Also::default() });
        at.model.task_dependence(at.thread, src_task_data, sink_task_data);
    }

    fn cancel(&self, task_data: Option<Slot<'_>>, flags: CancelFlag, codeptr_ra: CodePtr) {
        let discarded = flags.contains(CancelFlag::DISCARDED_TASK);
        let words = [task_data.into(), Word::Cancel(flags), codeptr_ra.into()];
        let also = Also { by_program: !discarded, changing: discarded, ..Also::at(codeptr_ra) };
        let mut at = self.enter(Event::Cancel, &words, &also);
        at.model.cancel(at.thread, task_data, flags);
    }

    fn lock_init(&self, kind: Mutex, hint: SyncHint, mutex_impl: c_uint, wait_id: WaitId, codeptr_ra: CodePtr) {
        self.mutex(Event::LockInit, kind, Some((hint.0 as c_uint, mutex_impl)), wait_id, codeptr_ra);
    }

    fn lock_destroy(&self, kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr) {
        self.mutex(Event::LockDestroy, kind, None, wait_id, codeptr_ra);
    }

    fn mutex_acquire(&self, kind: Mutex, hint: SyncHint, mutex_impl: c_uint, wait_id: WaitId, codeptr_ra: CodePtr) {
        self.mutex(Event::MutexAcquire, kind, Some((hint.0 as c_uint, mutex_impl)), wait_id, codeptr_ra);
    }

    fn mutex_acquired(&self, kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr) {
        self.mutex(Event::MutexAcquired, kind, None, wait_id, codeptr_ra);
    }

    fn mutex_released(&self, kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr) {
        self.mutex(Event::MutexReleased, kind, None, wait_id, codeptr_ra);
    }

    fn nest_lock(&self, endpoint: ScopeEndpoint, wait_id: WaitId, codeptr_ra: CodePtr) {
        let words = [named(endpoint.name(), endpoint.0), Word::Address(wait_id), codeptr_ra.into()];
        let also = Also { kind: Some((Mutex::NEST_LOCK.0, wait_id)), ..Also::at(codeptr_ra) };
        let mut at = self.enter(Event::NestLock, &words, &also);
        at.model.nest_lock(at.thread, endpoint, wait_id, codeptr_ra);
    }

    fn flush(&self, thread_data: Option<Slot<'_>>, codeptr_ra: CodePtr) {
        let words = [thread_data.into(), codeptr_ra.into()];
        let mut at = self.enter(Event::Flush, &words, &Also { by_program: false, ..Also::at(codeptr_ra) });
        let (thread, found) = (at.thread, thread_data.map(Slot::get));
        let value = this_thread(&mut at).value;
        if found.is_some_and(|found| found != value) {
            at.model.violation(Rule::ThreadData, thread, "the thread data of flush is another thread's");
        }
    }

    fn device_initialize(&self, number: c_int, _kind: Option<&CStr>, device: Device, _documentation: Option<&CStr>) {
        let mut at = self.device(Event::DeviceInitialize, number, None);
        at.model.device_initialize(at.thread, number, device.can_trace());
        drop(at);
        // The model is not locked: the device may ask for its first buffer at once.
        if device.can_trace() {
            device.set_trace(None, true);
            if !device.start_trace::<Self>(number, TRACE_BUFFER) {
                MODEL.lock().finding(
                    Rule::RecordMissing,
                    None,
                    format!("device {number} does not start its trace"),
                    &[],
                    false,
                );
            }
        }
    }

    fn device_finalize(&self, number: c_int) {
        let mut at = self.device(Event::DeviceFinalize, number, None);
        at.model.device_finalize(at.thread, number);
    }

    fn device_load(&self, number: c_int, loaded: Loaded<'_>) {
        let mut at = self.device(Event::DeviceLoad, number, Some(loaded.module_id));
        at.model.device_module(at.thread, number, loaded.module_id, true);
    }

    fn device_unload(&self, number: c_int, module_id: u64) {
        let mut at = self.device(Event::DeviceUnload, number, Some(module_id));
        at.model.device_module(at.thread, number, module_id, false);
    }

    fn device_records(&self, number: c_int, records: Records<'_>) {
        MODEL.lock().records(number, records);
    }

    fn target_emi(
        &self,
        kind: Target,
        endpoint: ScopeEndpoint,
        device: c_int,
        task: Option<Slot<'_>>,
        target_task: Option<Slot<'_>>,
        target: Option<Slot<'_>>,
        codeptr_ra: CodePtr,
    ) {
        let (kind_word, end) = (named(kind.name(), kind.0), named(endpoint.name(), endpoint.0));
        let words = [kind_word, end, Word::Number(device as u64), target.into(), codeptr_ra.into()];
        let mut at = self.enter(Event::TargetEmi, &words, &Also { changing: true, ..Also::at(codeptr_ra) });
        at.model.host_device = self.runtime.num_devices().filter(|_| self.counts_devices);
        at.model.target(at.thread, &TargetSays { kind, endpoint, device, task, target_task, target, code: codeptr_ra });
    }

    fn target(
        &self,
        kind: Target,
        endpoint: ScopeEndpoint,
        device: c_int,
        _task_data: Option<Slot<'_>>,
        target_id: Id,
        codeptr_ra: CodePtr,
    ) {
        let (kind, end) = (named(kind.name(), kind.0), named(endpoint.name(), endpoint.0));
        let words = [kind, end, Word::Number(device as u64), Word::Number(target_id), codeptr_ra.into()];
        let mut at = self.enter(Event::Target, &words, &Also { changing: true, ..Also::at(codeptr_ra) });
        at.model.plain_form(at.thread, (endpoint == ScopeEndpoint::BEGIN).then_some(target_id));
    }

    fn target_data_op_emi(
        &self,
        endpoint: ScopeEndpoint,
        _target_task_data: Option<Slot<'_>>,
        target: Option<Slot<'_>>,
        op: Option<Slot<'_>>,
        what: DataOp,
        codeptr_ra: CodePtr,
    ) {
        let end = named(endpoint.name(), endpoint.0);
        let words = operation_words(end, target.into(), op.into(), &what, codeptr_ra);
        let mut at = self.enter(Event::TargetDataOpEmi, &words, &Also { changing: true, ..Also::at(codeptr_ra) });
        at.model.operation(at.thread, endpoint, target, op, Some(what));
    }

    fn target_data_op(&self, target_id: Id, host_op_id: Id, what: DataOp, codeptr_ra: CodePtr) {
        let words =
            operation_words(Word::Number(0), Word::Number(target_id), Word::Number(host_op_id), &what, codeptr_ra);
        let mut at = self.enter(Event::TargetDataOp, &words, &Also { changing: true, ..Also::at(codeptr_ra) });
        at.model.plain_form(at.thread, Some(host_op_id));
    }

    fn target_submit_emi(
        &self,
        endpoint: ScopeEndpoint,
        target: Option<Slot<'_>>,
        op: Option<Slot<'_>>,
        teams: c_uint,
    ) {
        let words = [named(endpoint.name(), endpoint.0), target.into(), op.into(), Word::Number(teams.into())];
        let mut at = self.enter(Event::TargetSubmitEmi, &words, &Also { changing: true, ..Also::default() });
        at.model.operation(at.thread, endpoint, target, op, None);
    }

    fn target_submit(&self, target_id: Id, host_op_id: Id, teams: c_uint) {
        let words = [Word::Number(0), Word::Number(target_id), Word::Number(host_op_id), Word::Number(teams.into())];
        let mut at = self.enter(Event::TargetSubmit, &words, &Also { changing: true, ..Also::default() });
        at.model.plain_form(at.thread, Some(host_op_id));
    }

    fn target_map_emi(&self, target: Option<Slot<'_>>, mappings: Mappings<'_>, codeptr_ra: CodePtr) {
        let words = [target.into(), Word::Number(mappings.iter().count() as u64), codeptr_ra.into()];
        let mut at = self.enter(Event::TargetMapEmi, &words, &Also { changing: true, ..Also::at(codeptr_ra) });
        at.model.target_map(at.thread, target);
    }

    fn target_map(&self, target_id: Id, mappings: Mappings<'_>, codeptr_ra: CodePtr) {
        let words = [Word::Number(target_id), Word::Number(mappings.iter().count() as u64), codeptr_ra.into()];
        let mut at = self.enter(Event::TargetMap, &words, &Also { changing: true, ..Also::at(codeptr_ra) });
        at.model.plain_form(at.thread, None);
    }

    fn error(&self, severity: Severity, _message: Option<&CStr>, codeptr_ra: CodePtr) {
        let words = [named(severity.name(), severity.0), codeptr_ra.into()];
        let mut at = self.enter(Event::Error, &words, &Also { changing: true, ..Also::at(codeptr_ra) });
        if at.model.is_unknown(severity.name()) {
            at.model.violation(Rule::Severity, at.thread, format!("the severity is {severity:?}"));
        }
    }
}

/// The arguments of an operation on data.
fn operation_words(end: Word, target: Word, op: Word, what: &DataOp, code: CodePtr) -> [Word; 8] {
    let kind = named(what.optype.name(), what.optype.0);
    let (from, to) = (Word::Number(what.src_device_num as u64), Word::Number(what.dest_device_num as u64));
    [end, target, op, kind, from, to, Word::Number(what.bytes as u64), code.into()]
}

fn this_thread(at: &mut Checked) -> &mut model::Thread {
    &mut at.model.threads[at.thread]
}
