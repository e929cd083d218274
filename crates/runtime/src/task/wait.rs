//! Waiting for tasks: taskwait, taskgroup, taskyield (OpenMP 5.1 §2.12.4, §2.19.5, §2.19.6).

use super::life;
use super::reduction;
use super::schedule::find;
use super::table;
use crate::objects::call::{Caller, NoTool};
use crate::objects::current;
use crate::objects::reductions::{Construct, Layout};
use crate::objects::structures::{Group, Task, Thread};
use crate::objects::switch;
use crate::objects::task::flag;
use crate::ompt;
use crate::protocol::theft::Search;
use crate::thread::wait::{self, Spinner};
use ::ompt::{State, SyncRegion};
use std::time::{Duration, Instant};

/// Executes descendants of the current task until `ready`. The thread that makes it ready wakes the team; `state` is
/// for debuggers.
#[inline]
pub(super) fn until(thread: &'static Thread, state: State, ready: impl Fn() -> bool) {
    until_announced(thread, state, ready, || ());
}

/// As [`until`]; `announce` is called before the last look before the thread sleeps.
#[inline]
fn until_announced(thread: &'static Thread, state: State, ready: impl Fn() -> bool, announce: impl Fn()) {
    if ready() {
        return;
    }
    // Mostly the thread waits for a task that is in its own queue.
    help_within(thread, Some(thread.task()), Search::Likely);
    if !ready() {
        help_until(thread, state, ready, announce);
    }
}

/// As [`until_announced`], for what is not ready yet.
#[inline(never)]
fn help_until(thread: &'static Thread, state: State, ready: impl Fn() -> bool, announce: impl Fn()) {
    let task = thread.task();
    let team = thread.member().team();
    let event = &team.waits;
    let mut spinner = Spinner::new();
    loop {
        let helped = help_within(thread, Some(task), Search::Likely);
        if ready() {
            return;
        }
        if helped {
            spinner.restart();
            continue;
        }
        if team.deserted.get() {
            return;
        }
        if spinner.pause() {
            continue;
        }
        let ticket = event.prepare();
        announce();
        if ready() {
            return event.cancel(ticket);
        }
        if help_within(thread, Some(task), Search::Everywhere) {
            event.cancel(ticket);
            spinner.restart();
            continue;
        }
        wait::sleep_in(state, event, ticket);
    }
}

/// How long [`until_stuck`] sleeps at most before it looks again.
const A_WHILE: Duration = Duration::from_millis(1);

/// Executes descendants of the current task until `ready`, or until the thread is stuck: for `patience` there has been
/// no task to execute, and `progress` has not changed. Returns whether it is ready.
pub(super) fn until_stuck(
    thread: &'static Thread,
    patience: Duration,
    ready: impl Fn() -> bool,
    progress: impl Fn() -> u64,
) -> bool {
    let event = &thread.member().team().waits;
    let mut spinner = Spinner::new();
    let (mut last, mut since) = (progress(), Instant::now());
    while !ready() {
        if help_within(thread, Some(thread.task()), Search::Likely) {
            spinner.restart();
            (last, since) = (progress(), Instant::now());
            continue;
        }
        if progress() != last {
            (last, since) = (progress(), Instant::now());
        }
        let left = patience.saturating_sub(since.elapsed());
        if left.is_zero() || thread.member().team().deserted.get() {
            return false;
        }
        if spinner.pause() {
            continue;
        }
        // A completion that makes a task ready wakes this thread. Other completions are seen when the time is up.
        let ticket = event.prepare();
        if help_within(thread, Some(thread.task()), Search::Everywhere) {
            event.cancel(ticket);
            spinner.restart();
        } else {
            event.sleep_for(ticket, left.min(A_WHILE));
        }
    }
    true
}

/// Waits until the current task's children are complete.
#[inline]
pub fn taskwait(thread: &'static Thread, call: impl Caller) {
    let task = thread.task();
    let sync = ompt::SyncRegion::begin_at(thread, SyncRegion::TASKWAIT, call);
    if sync.is_of_a_callback() {
        return sync.end(Some(thread.member().team()));
    }
    // The last child that completes elsewhere wakes this thread, if it sleeps.
    until_announced(thread, State::WAIT_TASKWAIT, || task.generated.are_complete(), || task.generated.announce());
    task.generated.forget();
    if !task.children.get().is_null() {
        table::forget_children(task);
        thread.tasks.relax();
    }
    sync.end(Some(thread.member().team()));
}

impl Task {
    /// Ends the implicit task of a region, on the thread that executed it.
    #[inline(always)]
    pub fn finish_implicit(&self) {
        if !self.children.get().is_null() {
            table::forget(self);
            current::current().tasks.relax();
        }
        if !self.group.get().is_null() {
            abandon_groups(self);
        }
    }
}

/// The current task has encountered a taskyield construct: it is suspended for one of its descendants, if one is ready.
pub fn taskyield(thread: &'static Thread) {
    if switch::active() && ompt::in_callback(thread) {
        return;
    }
    match find(thread.member(), Some(thread.task()), Search::Everywhere) {
        Some(next) if next.has(flag::FINISHED) => life::finish(thread, next),
        Some(next) => life::execute_for_tools(thread, next, ompt::task_yield),
        None => {}
    }
}

/// A taskgroup region begins.
pub fn taskgroup_begin(thread: &'static Thread, call: impl Caller) {
    begin_group(thread);
    ompt::taskgroup_begin(thread, call);
}

/// As [`taskgroup_begin`], where the program has no taskgroup construct.
#[inline]
fn begin_group(thread: &Thread) {
    let task = thread.task();
    task.group.set(Group::new(thread, task.group.get()));
}

/// The innermost taskgroup region of the current task ends: waits for its tasks.
#[inline(always)]
pub fn taskgroup_end(thread: &'static Thread, call: impl Caller) {
    let task = thread.task();
    let Some(group) = task.taskgroup() else { return };
    let mut wait = ompt::taskgroup_wait(thread, call);
    for_tasks_of(thread, group);
    wait.end_wait(thread.member().team());
    leave_group(thread, task, group, call);
    wait.end(Some(thread.member().team()));
}

/// Waits for the tasks of `group`.
#[inline(always)]
fn for_tasks_of(thread: &'static Thread, group: &Group) {
    until(thread, State::WAIT_TASKGROUP, || group.is_over());
}

/// Waits for the tasks of the innermost taskgroup region of the current task, which goes on.
#[cold]
pub(super) fn for_group(thread: &'static Thread) {
    if let Some(group) = thread.task().taskgroup() {
        for_tasks_of(thread, group);
    }
}

/// Takes the groups down that the cancelled code of the implicit task `task` has left behind. Its region is over.
#[cold]
fn abandon_groups(task: &Task) {
    let thread = current::current();
    while let Some(group) = task.taskgroup() {
        if group.has_reductions() {
            reduction::abandon(group);
        }
        task.group.set(group.outer);
        group.give_back(thread);
    }
}

/// Ends `group`, which is the innermost one of the current task, and whose tasks are complete.
#[inline(always)]
fn leave_group(thread: &Thread, task: &Task, group: &Group, call: impl Caller) {
    if group.has_reductions() {
        reduction::end_group(thread, group, call.codeptr());
    }
    task.group.set(group.outer);
    group.give_back(thread);
}

/// A member of the team begins a worksharing or scope region with a task reduction whose copies the program combines.
/// [`end_workshare`] ends it.
pub fn begin_workshare(thread: &'static Thread, layouts: Vec<Layout>) -> Vec<*mut u8> {
    begin_group(thread);
    reduction::begin_shared(thread, Construct::Workshare, layouts)
}

/// The member has combined its part of the copies of the region that [`begin_workshare`] began.
pub fn end_workshare(thread: &'static Thread) {
    let task = thread.task();
    if let Some(group) = task.taskgroup() {
        for_tasks_of(thread, group);
        leave_group(thread, task, group, NoTool);
    }
}

/// Executes at most one task of the current member's team that this thread may execute: in a barrier any task, inside
/// an explicit task one of its descendants. Returns whether there was one.
pub fn help(thread: &'static Thread, search: Search) -> bool {
    let task = thread.task();
    help_within(thread, task.is_explicit().then_some(task), search)
}

/// As [`help`], for a thread that has just been woken from its sleep on the barrier's event. A thread that finds a task
/// and sees more calls the next sleeper first.
#[cold]
pub fn help_when_called(thread: &'static Thread) -> bool {
    let member = thread.member();
    let team = member.team();
    let Some(task) = find(member, None, Search::Everywhere) else { return false };
    if !team.tasks.queue.is_empty() || team.members().any(|other| !other.tasks.deque.is_empty()) {
        team.barrier.event.call_one();
    }
    life::resume(thread, task);
    true
}

/// As [`help`], with any task, or with descendants of `within` only.
#[inline]
fn help_within(thread: &'static Thread, within: Option<&Task>, search: Search) -> bool {
    let task = find(thread.member(), within, search);
    if let Some(task) = task {
        life::resume(thread, task);
    }
    task.is_some()
}
