//! Events of explicit tasks (OpenMP 5.1 §4.5.2.6–10, taskgroup and taskloop in §4.5.2.13, §4.5.2.5), cancellation
//! (§4.5.2.18), and the frames of tasks whose code the program itself calls.

use super::events_region::{self, PausedWait, SyncRegion};
use super::frame;
use super::registry::{Teller, parallel_data, task_data, tell};
use super::states::InState;
use crate::objects::call::{Call, Caller};
use crate::objects::current;
use crate::objects::dependence::{DependenceKind, Dependences};
use crate::objects::structures::Task;
use crate::objects::structures::Team;
use crate::objects::structures::Thread;
use crate::objects::switch::active;
use crate::objects::task::flag;
use crate::ompd::{self, breakpoints};
use ::ompt::{CancelFlag, Data, DependenceType, Dispatch, ScopeEndpoint, State, SyncRegion as Kind, TaskStatus, Work};
use std::ffi::{c_int, c_void};

/// `ompt_callback_task_create` and, if the task has dependences, `ompt_callback_dependences`, on the generating task.
#[inline(always)]
pub fn task_create(thread: &Thread, task: &Task, dependences: impl Dependences, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        create(thread, task, dependences, call);
    }
}

#[inline]
fn create(thread: &Thread, task: &Task, dependences: impl Dependences, call: Call) {
    if ompd::watches() {
        task.note_encounter(call.codeptr());
    }
    tell::task_create(thread, || {
        let encountering = thread.task();
        (
            encountering.tool.data(),
            encountering.tool.frame(),
            task.tool.data(),
            task.ompt_flags(),
            (!dependences.is_empty()).into(),
            call.codeptr(),
        )
    });
    if !dependences.is_empty() {
        let described = dependences.iter().map(|dependence| {
            let variable = Data { ptr: dependence.address as *mut c_void };
            ::ompt::Dependence { variable, dependence_type: dependence_type(dependence.kind) }
        });
        tell_dependences(thread, task, described);
    }
}

/// How a tool hears of a kind of dependence. Neither compiler tells `out` of all memory from `inout`; it is called
/// `out`, as LLVM's runtime does.
fn dependence_type(kind: DependenceKind) -> DependenceType {
    match kind {
        DependenceKind::In => DependenceType::IN,
        DependenceKind::Out => DependenceType::OUT,
        DependenceKind::InOut => DependenceType::INOUT,
        DependenceKind::MutexInOutSet => DependenceType::MUTEXINOUTSET,
        DependenceKind::InOutSet => DependenceType::INOUTSET,
        DependenceKind::AllMemory => DependenceType::OUT_ALL_MEMORY,
    }
}

/// `ompt_callback_dependences` of `task`. The list lies in memory that the thread keeps for the next one.
fn tell_dependences(thread: &Thread, task: &Task, list: impl Iterator<Item = ::ompt::Dependence>) {
    let mut memory = Vec::new();
    let told = tell::dependences(thread, || {
        // The callback may bring about another list: that list gets memory of its own.
        memory = thread.tool.dependences.take();
        memory.clear();
        memory.extend(list);
        (task.tool.data(), memory.as_ptr(), memory.len() as c_int)
    });
    if told.is_some() {
        thread.tool.dependences.set(memory);
    }
}

/// `ompt_callback_dependences` for an `ordered` construct with a doacross dependence: the iteration vector of a source
/// or a sink, on the task that encountered the construct.
#[cold]
pub fn doacross(thread: &Thread, kind: DependenceType, vector: impl Iterator<Item = u64>) {
    let described = vector.map(|value| ::ompt::Dependence { variable: Data { value }, dependence_type: kind });
    tell_dependences(thread, thread.task(), described);
}

/// `ompt_callback_task_dependence`: `sink` has to wait for `source`, whose completion is not reported as long as this
/// lasts.
#[cold]
pub fn task_dependence(source: &Task, sink: &Task) {
    tell::task_dependence(current::try_current(), || (source.tool.data(), sink.tool.data()));
}

/// `ompt_callback_dispatch`: the current task, one of a taskloop, begins its iterations.
#[cold]
pub fn taskloop_chunk(thread: &Thread, task: &Task, chunk: *mut ::ompt::DispatchChunk) {
    let instance = Data { ptr: chunk.cast() };
    tell::dispatch(thread, || (parallel_data(thread), task.tool.data(), Dispatch::TASKLOOP_CHUNK, instance));
}

/// `ompt_callback_cancel`: `task` is discarded, because the construct that `cancelled` names is cancelled; on the
/// thread that would have executed it.
#[inline]
pub fn task_discarded(task: &Task, cancelled: CancelFlag) {
    if active() {
        tell_cancel(task, cancelled | CancelFlag::DISCARDED_TASK, std::ptr::null());
    }
}

/// `ompt_callback_cancel`: the current task cancels the constructs that `flags` name, or detects that they are
/// cancelled.
#[inline]
pub fn cancel(thread: &Thread, flags: CancelFlag, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        tell_cancel(thread.task(), flags, call.codeptr());
    }
}

#[cold]
fn tell_cancel(task: &Task, flags: CancelFlag, codeptr: *const c_void) {
    tell::cancel(current::try_current(), || (task.tool.data(), flags.0, codeptr));
}

/// `ompt_callback_task_schedule`: this thread stops executing `prior` and executes `next`.
#[inline(always)]
pub fn task_switch(thread: &Thread, prior: &Task, next: &Task) {
    if active() {
        begin_task(thread, prior, TaskStatus::SWITCH, next);
    }
}

/// As [`task_switch`]; `prior` has encountered a taskyield construct.
#[inline(always)]
pub fn task_yield(thread: &Thread, prior: &Task, next: &Task) {
    if active() {
        begin_task(thread, prior, TaskStatus::YIELD, next);
    }
}

#[inline]
fn begin_task(thread: &Thread, prior: &Task, status: TaskStatus, next: &Task) {
    next.tool.set_below(prior);
    schedule(thread, prior, status, next.tool.data());
}

/// The current task, an explicit one, begins: its code is about to be called for the first time.
#[inline(always)]
pub fn task_code_begins() {
    breakpoints::task_begins();
}

/// As [`task_switch`]; `prior` is complete, or cancelled.
#[inline(always)]
pub fn task_complete(thread: &Thread, prior: &Task, next: &Task) {
    if active() {
        complete(thread, prior, next);
    }
}

#[inline]
fn complete(thread: &Thread, prior: &Task, next: &Task) {
    about_to_complete(prior);
    end_code(prior);
    let cancelled = prior.has_any(flag::CANCELLED);
    schedule(thread, prior, if cancelled { TaskStatus::CANCEL } else { TaskStatus::COMPLETE }, next.tool.data());
}

/// As [`task_switch`]; `prior`, an untied task, goes on elsewhere or later.
#[inline(always)]
pub fn task_suspend(thread: &Thread, prior: &Task, next: &Task) {
    if active() {
        schedule(thread, prior, TaskStatus::SWITCH, next.tool.data());
    }
}

/// As [`task_switch`]; `prior` is complete but for its event.
#[inline(always)]
pub fn task_detach(thread: &Thread, prior: &Task, next: &Task) {
    if active() {
        end_code(prior);
        schedule(thread, prior, TaskStatus::DETACH, next.tool.data());
    }
}

/// The code of the current task `task` is over, if it was not discarded.
#[inline(always)]
fn end_code(task: &Task) {
    if ompd::watches() && !task.was_discarded() {
        breakpoints::task_ends();
    }
}

/// `ompt_callback_task_schedule`: the event of `task` is fulfilled, `late` if its code has returned.
#[inline(always)]
pub fn task_fulfill(task: &Task, late: bool) {
    if active() {
        fulfill(task, late);
    }
}

#[cold]
fn fulfill(task: &Task, late: bool) {
    if late {
        // For a tool the task is complete with this.
        about_to_complete(task);
    }
    let status = if late { TaskStatus::LATE_FULFILL } else { TaskStatus::EARLY_FULFILL };
    // Whoever fulfils it has come by an entry point, which makes the thread known.
    schedule(current::current(), task, status, std::ptr::null_mut());
}

#[inline]
fn schedule<'a>(teller: impl Teller<'a>, prior: &Task, status: TaskStatus, next: *mut Data) {
    tell::task_schedule(teller, || (prior.tool.data(), status, next));
}

/// While this lives, the thread executes a task inside another: the wait that it was in counts as
/// ended, and its state is that of work.
pub struct TaskInside<'a> {
    _inside: Option<Inside<'a>>,
}

struct Inside<'a> {
    thread: &'a Thread,
    state: State,
    _wait: PausedWait<'a>,
}

impl<'a> TaskInside<'a> {
    /// `thread` is about to execute `task`.
    #[inline(always)]
    pub fn new(thread: &'a Thread, task: &Task) -> Self {
        if !active() {
            return TaskInside { _inside: None };
        }
        Self::told(thread, task)
    }

    #[inline(always)]
    fn told(thread: &'a Thread, task: &Task) -> Self {
        let state = thread.tool.state();
        let wait = PausedWait::new(thread);
        let own = task.team().is_none_or(|team| std::ptr::eq(team, thread.member().team()));
        // A task of another team says when it is the current one: see `works_in`.
        thread.tool.set_state(if own { working(thread.member().team()) } else { State::OVERHEAD });
        TaskInside { _inside: Some(Inside { thread, state, _wait: wait }) }
    }
}

impl Drop for Inside<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        self.thread.tool.set_state(self.state);
    }
}

/// The state of a thread that executes the code of a task of `team`.
fn working(team: &Team) -> State {
    match team.region.level.get() {
        0 => State::WORK_SERIAL,
        _ => State::WORK_PARALLEL,
    }
}

/// The thread, which is no member of `task`'s team, executes it from now on.
#[inline]
pub fn works_in(thread: &Thread, task: &Task) {
    if active() {
        let state = if thread.works_for().is_some() { |_: &Team| State::WORK_FREE_AGENT } else { working };
        thread.tool.set_state(task.team().map_or(State::OVERHEAD, state));
    }
}

/// `ompt_callback_task_schedule`: the dependences of a taskwait with a `depend` clause, which `task`
/// stands for, are satisfied.
#[inline(always)]
pub fn taskwait_complete(thread: &Thread, task: &Task) {
    if active() {
        about_to_complete(task);
        schedule(thread, task, TaskStatus::TASKWAIT_COMPLETE, std::ptr::null_mut());
    }
}

/// The program itself is about to call the code of `task`, an undeferred child of `outer`, from the
/// frame that called the entry point: `outer` counts as inside the runtime until [`program_called_task`].
#[inline(always)]
pub fn program_calls_task(outer: &Task, task: &Task, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        frame::program_calls(outer, task, call);
    }
}

/// The program has called the code of an undeferred child of `outer`.
#[inline(always)]
pub fn program_called_task(outer: &Task) {
    if active() {
        outer.tool.resume();
    }
}

/// The program has called the first part of an undeferred task; the others are called by the runtime.
#[inline(always)]
pub fn program_called_part(task: &Task) {
    if active() {
        task.tool.program_returned();
    }
}

/// The begin of a taskgroup region, on the task that encountered the construct.
#[inline(always)]
pub fn taskgroup_begin(thread: &Thread, call: impl Caller) {
    if let Some(call) = call.for_possible_tool() {
        events_region::tell_begin(thread, Kind::TASKGROUP, call.codeptr());
    }
}

/// The wait at the end of a taskgroup region, and the region's end.
#[inline(always)]
pub fn taskgroup_wait<'a>(thread: &'a Thread, call: impl Caller) -> SyncRegion<'a> {
    SyncRegion::begin_wait(thread, Kind::TASKGROUP, call)
}

/// The begin of a taskloop region.
#[inline(always)]
pub fn taskloop_begin(thread: &Thread, iterations: u64, call: impl Caller) {
    if let Some(call) = call.for_possible_tool() {
        taskloop(thread, ScopeEndpoint::BEGIN, iterations, call.codeptr());
    }
}

/// The end of a taskloop region.
#[inline(always)]
pub fn taskloop_end(thread: &Thread, iterations: u64, call: impl Caller) {
    if let Some(call) = call.for_possible_tool() {
        taskloop(thread, ScopeEndpoint::END, iterations, call.codeptr());
    }
}

#[inline]
fn taskloop(thread: &Thread, endpoint: ScopeEndpoint, iterations: u64, codeptr: *const c_void) {
    tell::work(thread, || (Work::TASKLOOP, endpoint, parallel_data(thread), task_data(thread), iterations, codeptr));
}

/// While this lives, the current task combines the copies of a task reduction at the end of the region that it waits in
/// (`ompt_callback_reduction`).
pub struct Combining<'a> {
    told: Option<(InState<'a>, &'a Thread, *const c_void)>,
}

impl<'a> Combining<'a> {
    #[inline]
    pub fn new(thread: &'a Thread, codeptr: *const c_void) -> Self {
        if !active() {
            return Combining { told: None };
        }
        events_region::tell_reduction(thread, ScopeEndpoint::BEGIN, codeptr);
        Combining { told: Some((InState::new(thread, State::WORK_REDUCTION, 0), thread, codeptr)) }
    }
}

impl Drop for Combining<'_> {
    fn drop(&mut self) {
        if let Some((state, thread, codeptr)) = self.told.take() {
            drop(state);
            events_region::tell_reduction(thread, ScopeEndpoint::END, codeptr);
        }
    }
}

/// The completion of `task` is about to be reported to the tool: from here on nobody is told to wait for it.
#[cold]
pub fn about_to_complete(task: &Task) {
    // SAFETY: null, or made by `register` and not given back before the task is complete.
    if let Some(node) = unsafe { task.node.get().as_ref() } {
        node.note_completion_reported();
    }
}
