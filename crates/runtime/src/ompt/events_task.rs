//! Events of explicit tasks (OpenMP 5.1 §4.5.2.6–10), cancellation (§4.5.2.18), and the frames of
//! tasks whose code the program itself calls.

use super::frame;
use super::registry::{parallel_data, report};
use super::states::working;
use crate::objects::call::Caller;
use crate::objects::current;
use crate::objects::dependence::Dependences;
use crate::objects::structures::{Task, Team, Thread};
use crate::objects::switch::active;
use crate::objects::task::flag;
use crate::ompd::{self, breakpoints};
use ::ompt::{CancelFlag, Data, DependenceType, Dispatch, State, TaskStatus};
use std::ffi::{c_int, c_void};
use std::hint::cold_path;
use std::ptr::null_mut;

/// `ompt_callback_task_create` and, if the task has dependences, `ompt_callback_dependences`, on the generating task.
#[inline]
pub fn task_create(thread: &Thread, task: &Task, dependences: impl Dependences, call: impl Caller) {
    let Some(call) = call.for_active_tool() else { return };
    if ompd::debugging() {
        task.note_encounter(call.codeptr());
    }
    let named = thread.tool.name(function_of(task));
    report::task_create(thread, || {
        let encountering = thread.task();
        (
            encountering.tool.data(),
            encountering.tool.frame.get(),
            task.tool.data(),
            task.ompt_flags(),
            (!dependences.is_empty()).into(),
            call.codeptr(),
        )
    });
    drop(named);
    if !dependences.is_empty() {
        let described = dependences.iter().map(|dependence| {
            let variable = Data { ptr: dependence.address as *mut c_void };
            ::ompt::Dependence { variable, dependence_type: DependenceType(dependence.kind as c_int) }
        });
        report_dependences(thread, task, described);
    }
}

/// The function that the program has given for the code of `task`. Null for a taskwait, and for a target task, whose
/// code is the runtime's own.
fn function_of(task: &Task) -> *const c_void {
    if task.has(flag::TARGET | flag::TASKWAIT) { std::ptr::null() } else { task.body.get().function }
}

/// `ompt_callback_dependences` of `task`. The thread keeps the list's memory for the next list.
fn report_dependences(thread: &Thread, task: &Task, list: impl Iterator<Item = ::ompt::Dependence>) {
    let mut memory = Vec::new();
    let reported = report::dependences(thread, || {
        // A construct in the callback may need another list, which gets memory of its own.
        memory = thread.tool.dependences.take();
        memory.clear();
        memory.extend(list);
        (task.tool.data(), memory.as_ptr(), memory.len() as c_int)
    });
    if reported.is_some() {
        thread.tool.dependences.set(memory);
    }
}

/// `ompt_callback_dependences` for an `ordered` construct with a doacross dependence: the iteration vector of a source
/// or a sink, on the task that encountered the construct.
#[cold]
pub fn doacross(thread: &Thread, kind: DependenceType, vector: impl Iterator<Item = u64>) {
    let described = vector.map(|value| ::ompt::Dependence { variable: Data { value }, dependence_type: kind });
    report_dependences(thread, thread.task(), described);
}

/// `ompt_callback_task_dependence`: `sink` has to wait for `source`. The caller keeps the completion of `source` from
/// being reported meanwhile.
#[cold]
pub fn task_dependence(source: &Task, sink: &Task) {
    report::task_dependence(current::try_current(), || (source.tool.data(), sink.tool.data()));
}

/// `ompt_callback_dispatch`: the current task, one of a taskloop, begins its iterations.
#[cold]
pub fn taskloop_chunk(thread: &Thread, task: &Task, chunk: *mut ::ompt::DispatchChunk) {
    let instance = Data { ptr: chunk.cast() };
    report::dispatch(thread, || (parallel_data(thread), task.tool.data(), Dispatch::TASKLOOP_CHUNK, instance));
}

/// `ompt_callback_cancel`: `task` is discarded because the construct that `cancelled` names is cancelled. Called on the
/// thread that would have executed the task.
#[inline]
pub fn task_discarded(task: &Task, cancelled: CancelFlag) {
    if active() {
        report_cancel(task, cancelled | CancelFlag::DISCARDED_TASK, std::ptr::null());
    }
}

/// `ompt_callback_cancel`: the current task cancels the constructs that `flags` name, or detects that they are
/// cancelled.
#[inline]
pub fn cancel(thread: &Thread, flags: CancelFlag, call: impl Caller) {
    let Some(call) = call.for_active_tool() else { return };
    report_cancel(thread.task(), flags, call.codeptr());
}

#[cold]
fn report_cancel(task: &Task, flags: CancelFlag, codeptr: *const c_void) {
    report::cancel(current::try_current(), || (task.tool.data(), flags.0, codeptr));
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
    next.tool.below.set(prior);
    schedule(thread, prior, status, next.tool.data());
}

/// The runtime is about to call the code of the current task, an explicit one, for the first time.
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
    let cancelled = prior.has(flag::CANCELLED);
    schedule(thread, prior, if cancelled { TaskStatus::CANCEL } else { TaskStatus::COMPLETE }, next.tool.data());
}

/// As [`task_switch`]; `prior`, an untied task, goes on elsewhere or later.
#[inline(always)]
pub fn task_suspend(thread: &Thread, prior: &Task, next: &Task) {
    if active() {
        schedule(thread, prior, TaskStatus::SWITCH, next.tool.data());
    }
}

/// As [`task_switch`]; the code of `prior` is over, and its event is not fulfilled.
#[inline(always)]
pub fn task_detach(thread: &Thread, prior: &Task, next: &Task) {
    if active() {
        end_code(prior);
        schedule(thread, prior, TaskStatus::DETACH, next.tool.data());
    }
}

/// The code of the current task `task` is over. A discarded task had no code to run.
#[inline(always)]
fn end_code(task: &Task) {
    if ompd::debugging() && !task.has(flag::DISCARDED) {
        breakpoints::task_ends();
    }
}

/// `ompt_callback_task_schedule`: the event of `task` is fulfilled, `late` if the task's code has returned.
#[inline]
pub fn task_fulfill(task: &Task, late: bool) {
    if !active() {
        return;
    }
    if late {
        // This event is the task's completion.
        about_to_complete(task);
    }
    let status = if late { TaskStatus::LATE_FULFILL } else { TaskStatus::EARLY_FULFILL };
    // The fulfilling thread has come by an entry point, which makes the thread known.
    schedule(current::current(), task, status, null_mut());
}

/// `ompt_callback_task_schedule`: the dependences of a taskwait with a `depend` clause are satisfied. `task` stands for
/// the taskwait.
#[inline(always)]
pub fn taskwait_complete(thread: &Thread, task: &Task) {
    if active() {
        about_to_complete(task);
        schedule(thread, task, TaskStatus::TASKWAIT_COMPLETE, null_mut());
    }
}

/// The completion of `task` is about to be reported. No event from here on says that a task waits for `task`.
#[inline(always)]
fn about_to_complete(task: &Task) {
    // SAFETY: null, or made by `register` and not given back before the task is complete.
    if let Some(node) = unsafe { task.node.get().as_ref() } {
        // Few tasks have dependences.
        cold_path();
        node.note_completion_reported();
    }
}

#[inline]
fn schedule(thread: &Thread, prior: &Task, status: TaskStatus, next: *mut Data) {
    report::task_schedule(thread, || (prior.tool.data(), status, next));
}

/// `thread`, which is no member of `task`'s team, executes the task from now on. The state of a free agent is
/// `WORK_FREE_AGENT` (OpenMP 6.0, section 33.31).
#[inline]
pub fn works_in(thread: &Thread, task: &Task) {
    if active() {
        let state = if thread.works_for().is_some() { |_: &Team| State::WORK_FREE_AGENT } else { working };
        thread.tool.set_state(task.team().map_or(State::OVERHEAD, state));
    }
}

/// The program itself is about to call the code of `task`, an undeferred child of `outer`, from the frame that called
/// the entry point. Until [`program_called_task`], `outer` counts as inside the runtime.
#[inline(always)]
pub fn program_calls_task(outer: &Task, task: &Task, call: impl Caller) {
    let Some(call) = call.for_active_tool() else { return };
    frame::program_calls(outer, task, call);
}

/// The program has called the code of an undeferred child of `outer`.
#[inline(always)]
pub fn program_called_task(outer: &Task) {
    if active() {
        outer.tool.resume();
    }
}

/// The program has called the first part of an undeferred task. The runtime calls the other parts.
#[inline(always)]
pub fn program_called_part(task: &Task) {
    if active() {
        task.tool.program_returned();
    }
}
