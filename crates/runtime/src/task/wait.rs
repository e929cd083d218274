//! Waiting for tasks: taskwait, taskgroup, taskyield (OpenMP 5.1 §2.12.4, §2.19.5, §2.19.6).

use super::reduction;
use super::{schedule, transparent};
use crate::objects::call::{Caller, Unasked};
use crate::objects::structures::Group;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::switch;
use crate::ompt;
use crate::thread::wait::{self, Spinner};
use ::ompt::{State, SyncRegion};
use std::sync::atomic::{AtomicPtr, AtomicU8, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The region has been cancelled: tasks that have not begun are discarded.
const CANCELLED: u8 = 1;
/// A task of the group has been recorded.
const NOTED: u8 = 2;

impl Group {
    /// A group inside `outer`, without tasks.
    pub(super) fn new(thread: &Thread, outer: *const Group) -> &'static Group {
        let block = thread.tasks.take(size_of::<Group>());
        let group = block.payload().cast::<Group>();
        let reductions = AtomicPtr::new(std::ptr::null_mut());
        // SAFETY: the payload has room for a group, is aligned for it, and nobody else knows it.
        unsafe {
            group.write(Group { outer, block, tasks: AtomicU64::new(0), reductions, marks: AtomicU8::new(0) });
            &*group
        }
    }

    /// The group around this one.
    pub(crate) fn outer(&self) -> Option<&'static Group> {
        // SAFETY: null or a group that ends after this one.
        unsafe { self.outer.as_ref() }
    }

    /// The group is over, and nobody knows it any more.
    pub(super) fn give_back(&self, thread: &Thread) {
        thread.tasks.give(self.block);
    }

    /// Another task. The caller is a task of the group, or the one that began it.
    #[inline(always)]
    pub(super) fn enter(&self) {
        // Relaxed: the group cannot come to its end meanwhile.
        self.tasks.fetch_add(1, Ordering::Relaxed);
    }

    /// Cancels the taskgroup region.
    pub(super) fn cancel(&self) {
        // Release: whoever finds the group cancelled sees what led to that.
        self.marks.fetch_or(CANCELLED, Ordering::Release);
    }

    /// Whether the taskgroup region, or one around it, has been cancelled.
    pub(super) fn is_cancelled(&self) -> bool {
        // SAFETY: null or a group around this one, which its owner takes down later.
        let outer = || unsafe { self.outer.as_ref() };
        self.marks.load(Ordering::Acquire) & CANCELLED != 0 || outer().is_some_and(Group::is_cancelled)
    }

    /// A task is complete. Returns whether it was the last; the group may be gone then.
    #[inline(always)]
    pub(super) fn leave(&self) -> bool {
        // Sequentially consistent, as every change that a sleeper waits for.
        self.tasks.fetch_sub(1, Ordering::SeqCst) == 1
    }
}

/// Executes descendants of the current task until `ready`. Whoever makes it ready wakes the team; `state` is for
/// debuggers.
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
    // Mostly it waits for a task that is in its own queue.
    schedule::help_within(thread, Some(thread.task()));
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
        if schedule::help_within(thread, Some(task)) {
            if ready() {
                return;
            }
            spinner.restart();
            continue;
        }
        if ready() {
            return;
        }
        if team.is_deserted() {
            return;
        }
        if spinner.pause() {
            continue;
        }
        let ticket = event.prepare();
        announce();
        if ready() {
            event.cancel(ticket);
            return;
        }
        if schedule::help_within(thread, Some(task)) {
            event.cancel(ticket);
            spinner.restart();
            continue;
        }
        wait::sleep_in(state, event, ticket);
    }
}

/// Executes descendants of the current task until `ready`, or until for `patience` there has been none to execute and
/// nothing has become of `progress`, a number. Returns whether it is ready.
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
        if schedule::help_within(thread, Some(thread.task())) {
            spinner.restart();
            (last, since) = (progress(), Instant::now());
            continue;
        }
        if progress() != last {
            (last, since) = (progress(), Instant::now());
        }
        let left = patience.saturating_sub(since.elapsed());
        if left.is_zero() || thread.member().team().is_deserted() {
            return false;
        }
        if spinner.pause() {
            continue;
        }
        // A completion that makes a task ready wakes this thread; others are seen when the time is up.
        let ticket = event.prepare();
        if schedule::help_within(thread, Some(thread.task())) {
            event.cancel(ticket);
            spinner.restart();
        } else {
            event.sleep_for(ticket, left.min(A_WHILE));
        }
    }
    true
}

/// How long [`until_stuck`] sleeps at most before it looks again.
const A_WHILE: Duration = Duration::from_millis(1);

/// Waits until the current task's children are complete.
#[inline]
pub fn taskwait(thread: &'static Thread, call: impl Caller) {
    let task = thread.task();
    let sync = ompt::SyncRegion::begin_at(thread, SyncRegion::TASKWAIT, call);
    if sync.is_of_a_callback() {
        return sync.end(thread.member().team().tool.data());
    }
    // The last child that completes elsewhere wakes this thread, if it sleeps.
    let announce = || task.awaited.store(task.others() as u32, Ordering::SeqCst);
    until_announced(thread, State::WAIT_TASKWAIT, || task.is_childless(), announce);
    task.forget_children();
    if task.has_dependence_table() {
        transparent::forget_children(task);
        thread.tasks.relax();
    }
    sync.end_in(thread.member().team());
}

impl Task {
    /// Whether all children are complete. Executing thread only.
    #[inline(always)]
    pub(super) fn is_childless(&self) -> bool {
        let others = self.others();
        // Acquire: the children's effects are visible after. Sequentially consistent, for the last
        // look before the thread sleeps.
        others == 0 || self.done_elsewhere.load(Ordering::SeqCst) as u64 == others
    }

    /// How many children are not complete, about. Executing thread only.
    pub(super) fn incomplete_children(&self) -> u64 {
        self.others().saturating_sub(self.done_elsewhere.load(Ordering::Relaxed) as u64)
    }

    /// Whether a descendant that was generated since the last wait has not completed. Executing thread only.
    pub fn has_incomplete_descendants(&self) -> bool {
        !self.is_childless() || self.held.load(Ordering::Acquire) != 0
    }

    /// How many children other threads have to complete, or have completed. Executing thread only.
    #[inline(always)]
    fn others(&self) -> u64 {
        self.created.get() - self.done_here.get()
    }

    #[inline(always)]
    fn has_dependence_table(&self) -> bool {
        !self.children.get().is_null()
    }

    /// Starts counting afresh: all children are complete. Executing thread only.
    #[inline(always)]
    pub(crate) fn forget_children(&self) {
        if self.created.get() != self.done_here.get() {
            self.done_elsewhere.store(0, Ordering::Relaxed);
        }
        self.created.set(0);
        self.done_here.set(0);
    }
}

/// The current task may be set aside for another.
pub fn taskyield(thread: &'static Thread) {
    if switch::active() && ompt::in_callback(thread) {
        return;
    }
    schedule::give_way(thread);
}

/// A taskgroup region begins.
pub fn taskgroup_begin(thread: &'static Thread, call: impl Caller) {
    begin_group(thread);
    ompt::taskgroup_begin(thread, call);
}

/// As [`taskgroup_begin`], where the program has no taskgroup construct.
#[inline]
pub(super) fn begin_group(thread: &Thread) {
    let task = thread.task();
    task.group.set(Group::new(thread, task.group.get()));
}

/// The innermost taskgroup region of the current task ends: waits for its tasks.
#[inline(always)]
pub fn taskgroup_end(thread: &'static Thread, call: impl Caller) {
    let task = thread.task();
    // SAFETY: null or the group that this task, or one around it, has begun.
    let Some(group) = (unsafe { task.group.get().as_ref() }) else {
        return;
    };
    let mut told = ompt::taskgroup_wait(thread, call);
    // Acquire: the tasks' effects are visible after.
    until(thread, State::WAIT_TASKGROUP, || group.tasks.load(Ordering::Acquire) == 0);
    told.end_wait(thread.member().team());
    leave_group(thread, task, group, call);
    told.end_in(thread.member().team());
}

/// Waits for the tasks of the innermost taskgroup region of the current task, which goes on.
#[cold]
pub(super) fn for_group(thread: &'static Thread) {
    // SAFETY: as in `taskgroup_end`.
    if let Some(group) = unsafe { thread.task().group.get().as_ref() } {
        until(thread, State::WAIT_TASKGROUP, || group.tasks.load(Ordering::Acquire) == 0);
    }
}

/// Whether a taskgroup around `task` has reductions; the innermost one is left out if `outer`.
#[cold]
pub(super) fn in_reduction(task: &Task, outer: bool) -> bool {
    // SAFETY: null or a group that ends after the task.
    let innermost: Option<&Group> = unsafe { task.group.get().as_ref() };
    let groups = std::iter::successors(innermost, |group| group.outer());
    groups.skip(usize::from(outer)).any(|group| !group.reductions.load(Ordering::Relaxed).is_null())
}

/// Whether this has been asked before for a task of the innermost taskgroup around `task`.
#[cold]
pub(super) fn was_noted(task: &Task) -> bool {
    // SAFETY: as in `in_reduction`.
    unsafe { task.group.get().as_ref() }
        .is_none_or(|group: &Group| group.marks.fetch_or(NOTED, Ordering::Relaxed) & NOTED != 0)
}

/// Ends the group that [`begin_group`] began: waits for its tasks.
pub(super) fn end_group(thread: &'static Thread) {
    let task = thread.task();
    // SAFETY: as in `taskgroup_end`.
    if let Some(group) = unsafe { task.group.get().as_ref() } {
        until(thread, State::WAIT_TASKGROUP, || group.tasks.load(Ordering::Acquire) == 0);
        leave_group(thread, task, group, Unasked);
    }
}

/// The region of the implicit task `task` is over, and its code, which has been cancelled, has left groups
/// behind.
#[cold]
pub(super) fn abandon_groups(task: &Task) {
    let thread = crate::objects::current::current();
    // SAFETY: null or a group that the task has begun; no task of the region is left.
    while let Some(group) = unsafe { task.group.get().as_ref() } {
        if !group.reductions.load(Ordering::Relaxed).is_null() {
            reduction::abandon(group);
        }
        task.group.set(group.outer);
        group.give_back(thread);
    }
}

/// The tasks of `group`, which is the innermost one of the current task, are complete.
#[inline(always)]
fn leave_group(thread: &Thread, task: &Task, group: &Group, call: impl Caller) {
    if !group.reductions.load(Ordering::Relaxed).is_null() {
        reduction::end_group(thread, group, call.codeptr());
    }
    task.group.set(group.outer);
    group.give_back(thread);
}
