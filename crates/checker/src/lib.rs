//! An OMPT tool that checks, in whatever program it is loaded into, that events come in pairs and in
//! order, that data words keep what the tool put there, that code addresses lie in the program, and
//! that the entry points agree with the events. OpenMP 5.1, sections 4.5.2 and 4.6.1.
//!
//! Load it with `OMP_TOOL_LIBRARIES=libferromp_checker.so`. When the runtime ends, it writes
//! `ferromp-checker: N events, M violations` to the file named by `FERROMP_CHECKER_OUT` (appended)
//! or to stderr, after a line for each of the first violations, and ends the program with status 87
//! if there are any. `FERROMP_CHECKER_IGNORE` names rules that are not to be checked.

mod library;
mod model;
mod mutexes;
mod report;
mod tasks;

use ferromp_tool::*;
use library::RuntimeLibrary;
use model::{Family, Model, Seen, SeenTask};
use spin::mutex::{SpinMutex, SpinMutexGuard};
use std::cell::Cell;
use std::ffi::{CStr, c_uint, c_void};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A lock that yields rather than sleeps, so that the child of a fork can let go of it.
static MODEL: LazyLock<SpinMutex<Model, spin::Yield>> = LazyLock::new(|| SpinMutex::new(Model::new()));

/// The process that the model is of.
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

/// Makes the model fit the child of a fork and lets go of the lock, once. The runtime's own handler
/// may run before ours and send events, so they ask as well.
fn adopt_child() {
    if PROCESS.swap(std::process::id(), Relaxed) != std::process::id() {
        // SAFETY: `before_fork` took the lock for this thread, the only one that the child has.
        unsafe { (*MODEL.as_mut_ptr()).forked(NUMBER.get()) };
        // SAFETY: as above.
        unsafe { MODEL.force_unlock() };
    }
}

struct Checker {
    runtime: Runtime<Checker>,
    library: RuntimeLibrary,
}

/// One event in progress: the model, locked, and who is speaking.
struct Checked {
    model: SpinMutexGuard<'static, Model>,
    thread: usize,
    seen: Seen,
}

impl Checker {
    fn see(&self) -> Seen {
        let word = |slot: Slot<'_>| (slot.addr(), slot.get());
        Seen {
            thread: self.runtime.thread_data(|slot| slot.get()),
            task: self
                .runtime
                .task_info(0, |task| SeenTask { data: task.task_data.map(word), region: task.parallel_data.map(Slot::get) }),
            region: self.runtime.parallel_info(0, |region| (region.parallel_data.map(Slot::get), region.team_size)),
            state: self.runtime.state().0.0,
        }
    }

    /// Begins to check an event: what holds for all.
    fn enter(&self, event: Event) -> Checked {
        adopt_child();
        let seen = self.see();
        let mut model = MODEL.lock();
        model.events += 1;
        let thread = NUMBER.get().unwrap_or_else(|| {
            model.threads.push(model::Thread::default());
            model.threads.len() - 1
        });
        NUMBER.set(Some(thread));
        if model.finalized {
            model.violation("after-finalize", thread, format!("{event:?} after the finaliser"));
            model.report.close(model.events);
        }
        // A task is fulfilled by any thread of the process, as is a tool controlled.
        let by_anyone = matches!(event, Event::TaskSchedule | Event::ControlTool | Event::Error);
        let this = &mut model.threads[thread];
        if this.ended {
            model.violation("after-thread-end", thread, format!("{event:?} after thread_end"));
        } else if this.begun && event != Event::ThreadBegin {
            let value = this.value;
            if value != 0 && seen.thread != Some(value) {
                let found = seen.thread.unwrap_or(0);
                let text = format!("{event:?}: ompt_get_thread_data gives {found:#x}, not {value:#x}");
                model.violation("thread-data", thread, text);
            }
            let known = State(seen.state).name().is_some() || seen.state >= 0x200;
            if !known || seen.state == State::UNDEFINED.0 {
                let text = format!("{event:?}: ompt_get_state gives {:?}", State(seen.state));
                model.violation("state", thread, text);
            }
        } else if !this.begun && event != Event::ThreadBegin && !by_anyone {
            this.begun = true;
            model.violation("thread-begin", thread, format!("{event:?} before thread_begin"));
        }
        Checked { model, thread, seen }
    }

    /// Checks where a construct lies: outside of the runtime, and somewhere if `required`.
    fn code(&self, at: &mut Checked, event: Event, codeptr_ra: CodePtr, required: bool) {
        match codeptr_ra.addr() {
            Some(address) if self.library.contains(address) => {
                let text = format!("{event:?}: {address:#x} lies in the runtime");
                at.model.violation("codeptr-in-runtime", at.thread, text);
            }
            None if required => {
                at.model.violation("codeptr-null", at.thread, format!("{event:?}: no code address"));
            }
            _ => {}
        }
    }

    /// Checks the frame of a task that has called the runtime.
    fn frame(&self, at: &mut Checked, event: Event, frame: Option<&Frame>) {
        if frame.is_none_or(|frame| frame.enter_frame.value() == 0) {
            let text = format!("{event:?}: the encountering task has no enter frame");
            at.model.violation("enter-frame", at.thread, text);
        }
    }

    /// Compares the entry points with the events.
    fn compare(&self, at: &mut Checked, event: Event) {
        at.model.compare(at.thread, &at.seen, event.name().unwrap_or("unknown event"));
    }

    /// Any of the three events of synchronisation regions.
    fn synchronise(
        &self,
        scope: (Family, SyncRegion),
        endpoint: ScopeEndpoint,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        codeptr_ra: CodePtr,
    ) {
        let (family, kind) = scope;
        let event = family.event();
        let mut at = self.enter(event);
        let at_join = matches!(
            kind,
            SyncRegion::BARRIER_IMPLICIT_PARALLEL
                | SyncRegion::BARRIER_IMPLICIT
                | SyncRegion::BARRIER_TEAMS
                | SyncRegion::BARRIER_IMPLEMENTATION
        );
        let ends = endpoint == ScopeEndpoint::END;
        let by_program = matches!(kind, SyncRegion::BARRIER_EXPLICIT | SyncRegion::TASKWAIT | SyncRegion::TASKGROUP);
        if !(ends && at_join) {
            self.compare(&mut at, event);
        }
        let thread = at.thread;
        let scope = (family, kind.0);
        at.model.scope(thread, scope, endpoint, parallel_data, task_data, ends && at_join);
        self.code(&mut at, event, codeptr_ra, by_program);
    }
}

#[tool]
impl Tool for Checker {
    const NAME: &'static str = "ferromp-checker";

    fn initialize(init: &Init<Self>) -> Result<Self, String> {
        PROCESS.store(std::process::id(), Relaxed);
        // SAFETY: the three functions are fit to run around a fork.
        let answer = unsafe { libc::pthread_atfork(Some(before_fork), Some(after_fork_in_parent), Some(after_fork_in_child)) };
        if answer != 0 {
            return Err("pthread_atfork failed".into());
        }
        let runtime = init.runtime();
        Ok(Checker { runtime, library: RuntimeLibrary::of(runtime.code_address()) })
    }

    fn registered(&self, event: Event, answer: SetResult) {
        let mut model = MODEL.lock();
        match answer {
            SetResult::SOMETIMES => model.unpaired.push(event),
            SetResult::ALWAYS => model.always.push(event),
            _ => {}
        }
    }

    fn finalize(&self) {
        adopt_child();
        let mut model = MODEL.lock();
        model.finalized = true;
        model.finalize(NUMBER.get());
        model.report.close(model.events);
    }

    fn thread_begin(&self, thread_type: Thread, thread_data: Option<Slot<'_>>) {
        let mut at = self.enter(Event::ThreadBegin);
        let thread = at.thread;
        let this = &mut at.model.threads[thread];
        if this.begun && !this.forked {
            at.model.violation("thread-begin", thread, "thread_begin a second time");
        }
        *this_thread(&mut at) = model::Thread { begun: true, worker: thread_type == Thread::WORKER, ..model::Thread::default() };
        if thread_type.name().is_none() {
            at.model.violation("thread-begin", thread, format!("thread_begin: {thread_type:?}"));
        }
        if let Some(value) = at.model.mark_thread(thread, thread_data) {
            this_thread(&mut at).value = value;
            let seen = self.runtime.thread_data(|slot| slot.get());
            if seen != Some(value) {
                let text = format!("thread_begin: ompt_get_thread_data gives {seen:x?}, not {value:#x}");
                at.model.violation("thread-data", thread, text);
            }
        }
    }

    fn thread_end(&self, thread_data: Option<Slot<'_>>) {
        let mut at = self.enter(Event::ThreadEnd);
        let (thread, found) = (at.thread, thread_data.map_or(0, Slot::get));
        let this = this_thread(&mut at);
        this.ended = true;
        let (value, open) = (this.value, this.implicit.last().copied());
        if found != value {
            let text = format!("thread_end: the data word is {found:#x}, not {value:#x}");
            at.model.violation("thread-data", thread, text);
        }
        if let Some((task, _)) = open {
            let text = format!("thread_end while task {task:#x} has not ended");
            at.model.violation("implicit-task-open", thread, text);
        }
    }

    fn parallel_begin(
        &self,
        encountering_task_data: Option<Slot<'_>>,
        encountering_task_frame: Option<&Frame>,
        parallel_data: Option<Slot<'_>>,
        _requested_parallelism: c_uint,
        _flags: ParallelFlag,
        codeptr_ra: CodePtr,
    ) {
        let mut at = self.enter(Event::ParallelBegin);
        self.compare(&mut at, Event::ParallelBegin);
        self.frame(&mut at, Event::ParallelBegin, encountering_task_frame);
        self.code(&mut at, Event::ParallelBegin, codeptr_ra, true);
        let thread = at.thread;
        at.model.parallel_begin(thread, parallel_data, encountering_task_data);
    }

    fn parallel_end(
        &self,
        parallel_data: Option<Slot<'_>>,
        encountering_task_data: Option<Slot<'_>>,
        _flags: ParallelFlag,
        codeptr_ra: CodePtr,
    ) {
        let mut at = self.enter(Event::ParallelEnd);
        self.compare(&mut at, Event::ParallelEnd);
        self.code(&mut at, Event::ParallelEnd, codeptr_ra, true);
        let thread = at.thread;
        at.model.parallel_end(thread, parallel_data, encountering_task_data);
    }

    fn task_create(
        &self,
        encountering_task_data: Option<Slot<'_>>,
        encountering_task_frame: Option<&Frame>,
        new_task_data: Option<Slot<'_>>,
        flags: TaskFlag,
        _has_dependences: bool,
        codeptr_ra: CodePtr,
    ) {
        let mut at = self.enter(Event::TaskCreate);
        self.compare(&mut at, Event::TaskCreate);
        self.frame(&mut at, Event::TaskCreate, encountering_task_frame);
        self.code(&mut at, Event::TaskCreate, codeptr_ra, flags.contains(TaskFlag::EXPLICIT));
        let thread = at.thread;
        at.model.task_create(thread, encountering_task_data, new_task_data, flags);
    }

    fn task_schedule(&self, prior_task_data: Option<Slot<'_>>, prior_task_status: TaskStatus, next_task_data: Option<Slot<'_>>) {
        let mut at = self.enter(Event::TaskSchedule);
        let thread = at.thread;
        at.model.task_schedule(thread, prior_task_data, prior_task_status, next_task_data);
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
        let mut at = self.enter(Event::ImplicitTask);
        let (thread, seen) = (at.thread, &at.seen);
        at.model.implicit_task(thread, endpoint, parallel_data, task_data, actual_parallelism, index, flags, seen);
        if endpoint == ScopeEndpoint::BEGIN {
            at.seen = self.see();
            self.compare(&mut at, Event::ImplicitTask);
        }
    }

    fn control_tool(&self, _command: ControlTool, _modifier: u64, _arg: *mut c_void, codeptr_ra: CodePtr) -> ControlToolResult {
        let mut at = self.enter(Event::ControlTool);
        self.code(&mut at, Event::ControlTool, codeptr_ra, true);
        ControlToolResult::SUCCESS
    }

    fn sync_region_wait(
        &self,
        kind: SyncRegion,
        endpoint: ScopeEndpoint,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        codeptr_ra: CodePtr,
    ) {
        self.synchronise((Family::SyncRegionWait, kind), endpoint, parallel_data, task_data, codeptr_ra);
    }

    fn sync_region(
        &self,
        kind: SyncRegion,
        endpoint: ScopeEndpoint,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        codeptr_ra: CodePtr,
    ) {
        self.synchronise((Family::SyncRegion, kind), endpoint, parallel_data, task_data, codeptr_ra);
    }

    fn reduction(
        &self,
        kind: SyncRegion,
        endpoint: ScopeEndpoint,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        codeptr_ra: CodePtr,
    ) {
        self.synchronise((Family::Reduction, kind), endpoint, parallel_data, task_data, codeptr_ra);
    }

    fn work(
        &self,
        work_type: Work,
        endpoint: ScopeEndpoint,
        parallel_data: Option<Slot<'_>>,
        task_data: Option<Slot<'_>>,
        _count: u64,
        codeptr_ra: CodePtr,
    ) {
        let mut at = self.enter(Event::Work);
        let thread = at.thread;
        self.compare(&mut at, Event::Work);
        if work_type.name().is_none() {
            at.model.violation("work-kind", thread, format!("work: {work_type:?}"));
        }
        let scope = (Family::Work, work_type.0);
        at.model.scope(thread, scope, endpoint, parallel_data, task_data, false);
        self.code(&mut at, Event::Work, codeptr_ra, true);
    }

    fn masked(&self, endpoint: ScopeEndpoint, parallel_data: Option<Slot<'_>>, task_data: Option<Slot<'_>>, codeptr_ra: CodePtr) {
        let mut at = self.enter(Event::Masked);
        let thread = at.thread;
        self.compare(&mut at, Event::Masked);
        at.model.scope(thread, (Family::Masked, 0), endpoint, parallel_data, task_data, false);
        self.code(&mut at, Event::Masked, codeptr_ra, true);
    }

    fn dispatch(&self, parallel_data: Option<Slot<'_>>, task_data: Option<Slot<'_>>, kind: Dispatch, _instance: Instance) {
        let mut at = self.enter(Event::Dispatch);
        let thread = at.thread;
        at.model.dispatch(thread, parallel_data, task_data, kind != Dispatch::TASKLOOP_CHUNK);
    }

    fn dependences(&self, task_data: Option<Slot<'_>>, deps: &[Dependence]) {
        let mut at = self.enter(Event::Dependences);
        let thread = at.thread;
        at.model.task(thread, task_data, "dependences");
        for dependence in deps {
            if dependence.dependence_type.name().is_none() {
                let text = format!("dependences: {:?}", dependence.dependence_type);
                at.model.violation("dependence-kind", thread, text);
            }
        }
    }

    fn task_dependence(&self, _src_task_data: Option<Slot<'_>>, sink_task_data: Option<Slot<'_>>) {
        let mut at = self.enter(Event::TaskDependence);
        let thread = at.thread;
        at.model.task(thread, sink_task_data, "task_dependence, sink");
    }

    fn cancel(&self, task_data: Option<Slot<'_>>, flags: CancelFlag, codeptr_ra: CodePtr) {
        let mut at = self.enter(Event::Cancel);
        let thread = at.thread;
        at.model.cancel(thread, task_data, flags);
        let discarded = flags.contains(CancelFlag::DISCARDED_TASK);
        self.code(&mut at, Event::Cancel, codeptr_ra, !discarded);
    }

    fn lock_init(&self, kind: Mutex, _hint: SyncHint, _mutex_impl: c_uint, wait_id: WaitId, codeptr_ra: CodePtr) {
        let mut at = self.enter(Event::LockInit);
        at.model.lock_init(kind, wait_id);
        self.code(&mut at, Event::LockInit, codeptr_ra, true);
    }

    fn lock_destroy(&self, kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr) {
        let mut at = self.enter(Event::LockDestroy);
        let thread = at.thread;
        at.model.lock_destroy(thread, kind, wait_id);
        self.code(&mut at, Event::LockDestroy, codeptr_ra, true);
    }

    fn mutex_acquire(&self, kind: Mutex, _hint: SyncHint, _mutex_impl: c_uint, wait_id: WaitId, codeptr_ra: CodePtr) {
        let mut at = self.enter(Event::MutexAcquire);
        let thread = at.thread;
        self.compare(&mut at, Event::MutexAcquire);
        at.model.mutex_acquire(thread, kind, wait_id);
        self.code(&mut at, Event::MutexAcquire, codeptr_ra, true);
    }

    fn mutex_acquired(&self, kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr) {
        let mut at = self.enter(Event::MutexAcquired);
        let thread = at.thread;
        self.compare(&mut at, Event::MutexAcquired);
        at.model.mutex_acquired(thread, kind, wait_id);
        self.code(&mut at, Event::MutexAcquired, codeptr_ra, true);
    }

    fn mutex_released(&self, kind: Mutex, wait_id: WaitId, codeptr_ra: CodePtr) {
        let mut at = self.enter(Event::MutexReleased);
        let thread = at.thread;
        self.compare(&mut at, Event::MutexReleased);
        at.model.mutex_released(thread, kind, wait_id);
        self.code(&mut at, Event::MutexReleased, codeptr_ra, true);
    }

    fn nest_lock(&self, endpoint: ScopeEndpoint, wait_id: WaitId, codeptr_ra: CodePtr) {
        let mut at = self.enter(Event::NestLock);
        let thread = at.thread;
        at.model.nest_lock(thread, endpoint, wait_id);
        self.code(&mut at, Event::NestLock, codeptr_ra, true);
    }

    fn flush(&self, _thread_data: Option<Slot<'_>>, codeptr_ra: CodePtr) {
        let mut at = self.enter(Event::Flush);
        self.code(&mut at, Event::Flush, codeptr_ra, false);
    }

    fn error(&self, severity: Severity, _message: Option<&CStr>, codeptr_ra: CodePtr) {
        let mut at = self.enter(Event::Error);
        let thread = at.thread;
        if severity.name().is_none() {
            at.model.violation("severity", thread, format!("error: {severity:?}"));
        }
        self.code(&mut at, Event::Error, codeptr_ra, true);
    }
}

fn this_thread(at: &mut Checked) -> &mut model::Thread {
    let thread = at.thread;
    &mut at.model.threads[thread]
}
