//! The life of a task (OpenMP 5.1 §2.12.1, §2.12.6): its states, and each transition between two of them.
//!
//! Other files decide: `create.rs` what a construct asks for, `depend.rs` which tasks wait for which, `schedule.rs`
//! which task a thread takes next, `wait.rs` how long a thread helps. Here is what then happens to the task, in the
//! order of its states. `README.md` has the picture.

use super::headers;
use super::helper;
use super::offers::{OFFERS, Offering};
use super::table;
use crate::arch;
use crate::icv;
use crate::model::atomic::{AtomicU32, Ordering};
use crate::objects::body::Mode;
use crate::objects::call::Caller;
use crate::objects::current;
use crate::objects::structures::{Entry, Group, Member, Node, NodeRef, Queue, Task, Team, Thread};
use crate::objects::switch;
use crate::objects::task::flag;
use crate::ompd;
use crate::ompt;
use crate::protocol::children::Completion;
use crate::protocol::detach::Fulfilment;
use crate::protocol::lifeline;
use crate::protocol::quiescence::GROUP;
use ::ompt::CancelFlag;
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{MutexGuard, PoisonError};

// Created: the program fills the task in.

/// How deep tasks of a team of one may lie in each other before their thread looks at how much of its stack they use.
/// In a chain of tasks that generate one another and use half of the stack, or 512 KiB, tasks are queued and run on
/// less stack.
const DEEP: u32 = 128;

impl Task {
    /// Whether the task, of a team of one, lies too deep to run where it is generated.
    #[inline(always)]
    pub(super) fn is_deep(&self, thread: &Thread) -> bool {
        self.depth.load(Ordering::Relaxed) > DEEP && is_stack_used(thread)
    }

    /// Whether the children of the task, of a team of one, may lie too deep to run where they are generated.
    #[inline(always)]
    pub(super) fn may_have_deep_children(&self) -> bool {
        self.depth.load(Ordering::Relaxed) >= DEEP
    }
}

/// Whether half of the thread's stack is in use, and tasks may be queued: inside a parallel region.
#[inline(always)]
pub(super) fn is_stack_used(thread: &Thread) -> bool {
    thread.member().team().region.level.get() > 0 && !thread.stack.has_caller()
}

// Counted, and held by no predecessor: queued, or executed in place.

/// How many tasks of one member may wait before the member executes some itself. They are enough to keep other threads
/// busy, and few enough to stay in the cache. Without this bound a loop that creates a million tasks would need their
/// memory all at once.
pub(super) const ENOUGH: usize = 256;

/// How many tasks nest that a member with a full queue executes where they are created. The tasks of a recursive
/// program so cost as little inside one another as they do side by side. A chain of tasks that generate one another
/// would fill the stack without this bound.
const NESTED: u32 = 16;

/// Queues a counted task that waits for nothing, or executes it if it has to run where it is generated.
#[inline(always)]
pub(super) fn queue_or_execute(thread: &'static Thread, member: &Member, task: &'static Task) {
    let mode = member.tasks.mode.get();
    if task.has(flag::DEVICE | flag::POOL) && queue_or_execute_unusual(thread, task) {
        // The task has been executed, or offered to free agents.
    } else if mode == Mode::Outside || mode == Mode::Alone && !task.is_deep(thread) {
        resume(thread, task);
    } else if member.tasks.deque.holds(ENOUGH, false) && is_ahead(member) {
        let nested = member.tasks.nested.replace(member.tasks.nested.get() + 1);
        resume(thread, task);
        member.tasks.nested.set(nested);
    } else {
        publish(thread, task);
    }
}

/// As [`queue_or_execute`], for a task of a device or for free agents. Returns false if the task goes the way of
/// others.
#[cold]
fn queue_or_execute_unusual(thread: &'static Thread, task: &'static Task) -> bool {
    if task.has(flag::DEVICE) {
        // In the place of its generating task: its code is short.
        resume(thread, task);
        return true;
    }
    !thread.member().tasks.deque.holds(ENOUGH, false) && offer(thread, task)
}

/// Whether the member, whose queue was full at its last look, executes the task that it has just created, as it may at
/// this scheduling point.
#[cold]
pub(super) fn is_ahead(member: &Member) -> bool {
    let tasks = &member.tasks;
    if tasks.nested.get() >= NESTED {
        return false;
    }
    if tasks.in_place.get() > 0 {
        tasks.in_place.set(tasks.in_place.get() - 1);
        return true;
    }
    if !tasks.deque.holds(ENOUGH, true) || !icv::settings().task_throttling {
        return false;
    }
    // Half of what it would take the others to empty the queue.
    tasks.in_place.set(ENOUGH as u32 / 2 / member.team().nthreads());
    true
}

/// Queues a task that has been counted and waits for nothing.
#[inline(always)]
fn publish(thread: &Thread, task: &Task) {
    let member = thread.member();
    if task.priority.get() > 0 {
        return hand_to(member.team(), task);
    }
    if member.team().nthreads() > GROUP && hand_over(thread, member, task) {
        return;
    }
    publish_here(member, task);
}

/// With so many tasks a member gives none away: thieves take several of them at once.
const KEPT: usize = 16;

/// Gives a task that the member is about to queue to a member that has none. The member keeps the task if it has no
/// other. An implicit task gives none away: its tasks mostly come from a loop, which would wait for one member after
/// the other. Free agents look into queues only.
#[inline(never)]
fn hand_over(thread: &Thread, member: &Member, task: &Task) -> bool {
    let team = member.team();
    let deque = &member.tasks.deque;
    thread.task().is_explicit()
        && !task.has(flag::POOL)
        && deque.holds(1, true)
        && !deque.holds(KEPT, false)
        && lifeline::offer(member.tid, team.nthreads(), task, |tid| &*team.member(tid).tasks.lifeline)
}

/// Puts a task into the member's own queue.
#[inline(always)]
pub(super) fn publish_here(member: &Member, task: &Task) {
    let alone = member.team().nthreads() == 1;
    let deque = &member.tasks.deque;
    let length = deque.push(task, alone).saturating_add(1);
    if length <= 1 {
        call_for_help(member.team());
    } else if length == deque.told_from.load(Ordering::Relaxed) {
        member.team().tasks.groups.tell(member.tid, deque);
    }
}

/// Queues a task for free agents as well, as [`publish`] does for the members. Returns false if there are no agents.
#[cold]
fn offer(thread: &Thread, task: &Task) -> bool {
    if !OFFERS.has_agents() {
        return false;
    }
    task.generated.offer();
    publish(thread, task);
    OFFERS.offer(Offering(thread.member().team()));
    true
}

/// Wakes one of the threads that sleep for want of tasks, and those that wait inside tasks, which may not execute every
/// task.
///
/// The caller has published a task by a sequentially consistent read-modify-write. A sleeper's last look either sees
/// the task or comes before this look.
#[inline(always)]
pub(super) fn call_for_help(team: &Team) {
    team.barrier.event.call_one();
    wake_waiters(team);
}

/// Wakes the threads that wait for children, groups or predecessors. The caller has published what they wait for, as
/// for [`call_for_help`].
#[inline(always)]
fn wake_waiters(team: &Team) {
    if team.waits.has_sleepers() {
        team.waits.notify_all();
    }
}

/// Puts a task into the team's own queue, from any thread: a task with a priority, or one that a member of the team has
/// to complete.
#[cold]
fn hand_to(team: &Team, task: &Task) {
    team.tasks.queue.enqueue(task);
    wake_all(team);
}

/// Wakes the threads that may take a task from one of the team's queues.
#[cold]
fn wake_all(team: &Team) {
    team.barrier.event.notify_all();
    team.waits.notify_all();
}

/// A team's queue of tasks in the order of their priority. A lock suffices, because such tasks are rare; the counter in
/// front of it spares most threads the lock.
impl Queue {
    /// Whether the queue was empty a moment ago.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.length.load(Ordering::Relaxed) == 0
    }

    /// Queues a task. The caller wakes those that sleep.
    #[cold]
    fn enqueue(&self, task: &Task) {
        // A task that only has to be completed goes first: others may wait for it.
        let rank = if task.has(flag::FINISHED) { i32::MAX } else { task.priority.get() };
        self.lock().entry(Reverse(rank)).or_default().push_back(Entry(task));
        self.length.fetch_add(1, Ordering::SeqCst);
    }

    /// Takes the first task that is `allowed`.
    #[cold]
    pub fn take(&self, allowed: impl Fn(&Task) -> bool) -> Option<&'static Task> {
        for list in self.lock().values_mut() {
            // SAFETY: queued tasks are alive.
            let found = list.iter().position(|entry| allowed(unsafe { &*entry.0 }));
            if let Some(entry) = found.and_then(|index| list.remove(index)) {
                self.length.fetch_sub(1, Ordering::SeqCst);
                // SAFETY: as above.
                return Some(unsafe { &*entry.0 });
            }
        }
        None
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<Reverse<i32>, VecDeque<Entry>>> {
        // A panic aborts the process, so no thread ever sees a poisoned lock.
        self.lists.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

// Executing.

/// Continues a task that this thread has taken, or generated.
#[inline(always)]
pub(super) fn resume(thread: &'static Thread, task: &'static Task) {
    if task.has(flag::FINISHED) {
        finish(thread, task);
    } else {
        execute(thread, task);
    }
}

/// Completes a task that has no code left to run: its body has returned and its event is fulfilled, or it never had a
/// body.
#[cold]
pub(super) fn finish(thread: &'static Thread, task: &Task) {
    if task.has(flag::TASKWAIT) {
        ompt::taskwait_complete(thread, task);
    }
    complete(thread, task);
}

/// Executes `task` on top of the current one: to its end, to the end of its part, or until only its event is missing.
#[inline(always)]
fn execute(thread: &'static Thread, task: &'static Task) {
    if switch::active() {
        switch_for_tools(thread, task);
    } else {
        execute_without_tool(thread, task);
    }
}

/// As [`execute`], for a task that the current task generates at `call`.
#[inline(always)]
pub(super) fn execute_for<C: Caller>(thread: &'static Thread, task: &'static Task, _call: C) {
    if C::MAY_HAVE_TOOL {
        execute(thread, task);
    } else {
        execute_without_tool(thread, task);
    }
}

/// As [`execute`], without a tool.
#[inline(never)]
fn execute_without_tool(thread: &'static Thread, task: &'static Task) {
    execute_as::<false>(thread, task, |_, _, _| (), |_, _| ());
}

/// As [`execute`], with a tool.
#[cold]
#[inline(never)]
fn switch_for_tools(thread: &'static Thread, task: &'static Task) {
    execute_for_tools(thread, task, ompt::task_switch);
}

/// As [`execute`], on a thread that is no member of the task's team; `descendants` is for [`body_returned`].
#[cold]
pub(super) fn execute_from_outside(
    thread: &'static Thread,
    task: &'static Task,
    descendants: impl FnOnce(&'static Thread, &Task),
) {
    let report = |thread: &Thread, outer: &Task, task: &Task| {
        ompt::task_switch(thread, outer, task);
        ompt::works_in(thread, task);
    };
    let _inside = ompt::TaskInside::new(thread, task);
    execute_as::<true>(thread, task, report, descendants);
}

/// As [`execute`], with a tool; `report` reports the switch from the current task.
#[inline(never)]
pub(super) fn execute_for_tools(
    thread: &'static Thread,
    task: &'static Task,
    report: impl FnOnce(&Thread, &Task, &Task),
) {
    let _inside = ompt::TaskInside::new(thread, task);
    execute_as::<true>(thread, task, report, |_, _| ());
}

/// As [`execute`], for tools or, which compiles to less, without one; `report` reports the switch from the current
/// task.
#[inline(always)]
fn execute_as<const FOR_TOOLS: bool>(
    thread: &'static Thread,
    task: &'static Task,
    report: impl FnOnce(&Thread, &Task, &Task),
    descendants: impl FnOnce(&'static Thread, &Task),
) {
    let outer = thread.task();
    let begins = FOR_TOOLS && ompd::debugging() && !task.has(flag::BEGUN);
    let special = task.has(flag::CANCELLABLE | flag::LOOP_CHUNK);
    let discarded = special && discarded(task);
    report(thread, outer, task);
    thread.set_task(task);
    if !discarded {
        if begins {
            // A debugger stops here, and looks at the current task.
            ompt::task_code_begins();
        }
        if special && let Some(chunk) = task.take_chunk() {
            ompt::taskloop_chunk(thread, task, chunk);
        }
        run_body(thread, task);
    }
    if task.has(flag::AGAIN | flag::ASYNCHRONOUS) && wants_more(task) && !run_other_parts(thread, task) {
        return suspend(thread, outer, task);
    }
    end_with::<FOR_TOOLS>(thread, outer, task, descendants);
}

/// Whether `task`, which is about to run, is skipped, because its region was cancelled before it began.
///
/// What follows the code of other tasks follows this one's as well. Only its event counts as fulfilled, since no code
/// is left to fulfil it.
#[cold]
fn discarded(task: &Task) -> bool {
    if !task.has(flag::CANCELLABLE) || task.has(flag::BEGUN) {
        return false;
    }
    task.change_flags(flag::BEGUN, 0);
    let by_group = task.taskgroup().is_some_and(Group::is_cancelled);
    if !by_group && !task.team().is_some_and(|team| team.is_cancelled()) {
        return false;
    }
    task.change_flags(flag::CANCELLED | flag::DISCARDED, 0);
    ompt::task_discarded(task, if by_group { CancelFlag::TASKGROUP } else { CancelFlag::PARALLEL });
    if task.has(flag::DETACHABLE) {
        // From here on the event's handle opens nothing.
        task.event.discard();
        task.change_flags(0, flag::DETACHABLE);
    }
    true
}

/// Calls the code of `task`, the current one.
#[inline(always)]
pub(super) fn run_body(thread: &Thread, task: &Task) {
    let body = task.body.get();
    let a = if task.has(flag::NUMBERED) { thread.gtid() as usize } else { body.a };
    // SAFETY: the entry point that made the body vouches for the function and its arguments.
    unsafe { arch::call_outlined(body.function, a, body.b, task.tool.exit_frame_slot()) };
}

/// Whether the body, which has returned, is to be called again.
fn wants_more(task: &Task) -> bool {
    // SAFETY: the word is the task's, and this thread executes the task.
    task.has(flag::AGAIN) || task.asynchronous().is_some_and(|handle| !unsafe { *handle }.is_null())
}

/// Runs the next part of an untied task if the task is to continue at once. Runs all parts of one that must be complete
/// when its generating task goes on: of an undeferred task, or one outside of all parallel regions. Returns whether
/// `task` has no other part.
#[inline(never)]
pub(super) fn run_other_parts(thread: &Thread, task: &Task) -> bool {
    if task.has(flag::AT_ONCE) {
        task.change_flags(0, flag::AGAIN | flag::AT_ONCE);
        run_body(thread, task);
        if !wants_more(task) {
            return true;
        }
    }
    if !task.has(flag::UNDEFERRED) && thread.member().tasks.mode.get() != Mode::Outside {
        return false;
    }
    while wants_more(task) {
        task.change_flags(0, flag::AGAIN | flag::AT_ONCE);
        run_body(thread, task);
    }
    true
}

// Set aside between two parts.

/// Queues a task whose body has returned and is to be called again, on any thread: for an untied task's next part, or
/// because an operation may have come to its end.
///
/// The task comes after all others: a task that yields lets those run that it may be waiting for.
#[cold]
fn suspend(thread: &'static Thread, outer: &Task, task: &'static Task) {
    task.change_flags(flag::BEGUN, flag::AGAIN);
    task.tool.code_returned();
    ompt::task_suspend(thread, task, outer);
    thread.set_task(outer);
    task.disown();
    let team = thread.member().team();
    team.tasks.aside.enqueue(task);
    wake_all(team);
}

// The code has returned: complete, or detached until the event is fulfilled or the device is done.

/// Ends the task, whose code has returned; `outer` goes on. `FOR_TOOLS` is whether there may be a tool.
#[inline(always)]
pub(super) fn end<const FOR_TOOLS: bool>(thread: &'static Thread, outer: &Task, task: &'static Task) {
    end_with::<FOR_TOOLS>(thread, outer, task, |_, _| ());
}

/// As [`end`]; `descendants` is for [`body_returned`].
#[inline(always)]
fn end_with<const FOR_TOOLS: bool>(
    thread: &'static Thread,
    outer: &Task,
    task: &'static Task,
    descendants: impl FnOnce(&'static Thread, &Task),
) {
    if !task.body.get().after.is_null() {
        call_after(task);
    }
    if FOR_TOOLS && switch::active() {
        task.tool.code_returned();
    }
    if task.has(flag::DETACHABLE | flag::DEVICE | flag::POOL) && !body_returned(thread, outer, task, descendants) {
        thread.set_task(outer);
        return;
    }
    if FOR_TOOLS {
        ompt::task_complete(thread, task, outer);
    }
    thread.set_task(outer);
    complete(thread, task);
}

#[cold]
fn call_after(task: &Task) {
    let body = task.body.get();
    // SAFETY: as in `run_body`.
    unsafe { arch::call_outlined(body.after, body.a, body.b, task.tool.exit_frame_slot()) };
}

/// How many tasks miss only their event. A plain counter, for a producer that is held back.
static OPEN: AtomicU32 = AtomicU32::new(0);

/// Whether there are tasks that miss only their event.
pub(super) fn is_any_open() -> bool {
    OPEN.load(Ordering::Relaxed) > 0
}

/// The body of `task` has returned, and `outer` goes on; the task is a device's, for free agents, or detachable.
///
/// Returns whether this thread completes the task. If not, the task is not this thread's any more. `descendants` waits
/// for the descendants of a task that a free agent has executed, because the team's barriers do not count them.
#[cold]
fn body_returned(
    thread: &'static Thread,
    outer: &Task,
    task: &'static Task,
    descendants: impl FnOnce(&'static Thread, &Task),
) -> bool {
    if task.has(flag::DEVICE) {
        // SAFETY: the word of the current task.
        if unsafe { !(*rest(task)).is_null() } {
            if !task.event.body_returns() {
                ompt::task_suspend(thread, task, outer);
                task.disown();
                task.event.let_go();
                return false;
            }
            do_rest(thread, task);
        }
    } else {
        if task.has(flag::POOL) && is_of_another_team(thread, task) {
            descendants(thread, task);
        }
        if task.has(flag::DETACHABLE) && !task.event.body_returns() {
            ompt::task_detach(thread, task, outer);
            // The generating task of an undeferred task waits for the task's code only. The call that fulfils the event
            // may stand behind the construct.
            task.disown();
            task.change_flags(flag::FINISHED, 0);
            OPEN.fetch_add(1, Ordering::Relaxed);
            task.event.let_go();
            return false;
        }
    }
    let elsewhere = is_of_another_team(thread, task);
    if elsewhere {
        complete_elsewhere(thread, outer, task);
    }
    !elsewhere
}

/// What is left of a target task when its operations on the device are complete. Called on the thread given, whose
/// current task is the target task.
pub type Rest = Box<dyn FnOnce(&'static Thread) + Send>;

/// How many bytes the payload of a device's task has behind the program's own data: an aligned word for the [`Rest`].
pub const BEHIND: usize = size_of::<*mut Rest>();

/// Where the rest of a device's task is kept, null for none.
pub(super) fn rest(task: &Task) -> *mut *mut Rest {
    // SAFETY: the payload ends with that word, as `for_device` demands.
    unsafe { task.payload().add(task.payload_bytes()).sub(BEHIND).cast() }
}

/// Does what the construct of `task`, the current one, has left.
fn do_rest(thread: &'static Thread, task: &Task) {
    // SAFETY: `target::leave` made the box. Of the two sides, code and device, the one that comes second takes it.
    let rest = unsafe { Box::from_raw(std::ptr::replace(rest(task), std::ptr::null_mut())) };
    rest(thread);
}

/// Whether `task` belongs to another team than the calling thread does.
fn is_of_another_team(thread: &Thread, task: &Task) -> bool {
    task.team().is_some_and(|team| !std::ptr::eq(team, thread.member().team()))
}

/// The event of `task` is fulfilled, and its body has returned: a member of its team completes the task, so that the
/// task is counted where barriers look.
pub(super) fn fulfilled(task: &Task) {
    OPEN.fetch_sub(1, Ordering::Relaxed);
    if let Some(team) = task.team() {
        hand_to(team, task);
    }
}

/// The operations on the device that the construct of `task` has left to it, with event `number`, are complete. Called
/// on the helper thread.
pub(super) fn operations_are_complete(task: &'static Task, number: u16) {
    match task.event.fulfil(number) {
        // The thread that is in the task's code does the rest.
        Fulfilment::Early => task.event.fulfilled(),
        Fulfilment::Late => {
            let thread = current::current();
            let outer = thread.task();
            let _inside = ompt::TaskInside::new(thread, task);
            ompt::task_switch(thread, outer, task);
            thread.set_task(task);
            ompt::works_in(thread, task);
            do_rest(thread, task);
            complete_elsewhere(thread, outer, task);
        }
        other => unreachable!("a target task is left once: {other:?}"),
    }
}

/// Lets the successors of the current task `task` go, on a thread that is no member of its team, and hands the task to
/// the team as one that only needs to be counted; `outer` goes on.
fn complete_elsewhere(thread: &Thread, outer: &Task, task: &Task) {
    let Some(team) = task.team() else { return };
    ompt::task_complete(thread, task, outer);
    thread.set_task(outer);
    task.disown();
    if !task.node.get().is_null() {
        release_successors(None, team, task);
    }
    task.change_flags(flag::FINISHED, 0);
    hand_to(team, task);
}

// Complete: the successors go on, the parent is counted down, and the header is freed.

/// Does everything that follows from a task being complete. The header may be another task's afterwards.
#[inline(always)]
pub(super) fn complete(thread: &'static Thread, task: &Task) {
    let team = thread.member().team();
    let parent = task.parent().expect("an explicit task has a parent");
    if !task.children.get().is_null() {
        table::leave_children(parent, task);
    }
    if !task.node.get().is_null() {
        release_successors(Some(thread), team, task);
    }
    let flags = task.flags.get();
    let group = task.group.get();
    let whole = task.generated.are_none() || headers::children_are_done(task, parent);
    if flags & (flag::UNDEFERRED | flag::COUNTED) == flag::UNDEFERRED {
        if whole {
            thread.tasks.give(task);
        }
        return;
    }
    if std::ptr::eq(parent.executor.load(Ordering::Relaxed), thread) {
        parent.generated.complete_here();
    } else {
        match parent.generated.complete_elsewhere() {
            Completion::Plain => {}
            Completion::Awaited => wake_waiters(team),
            Completion::Last => headers::last_child(&thread.tasks, team, parent),
        }
    }
    if whole {
        thread.tasks.give(task);
    }
    if !group.is_null() {
        // SAFETY: a group lives until all its tasks are complete, and this one is not until here.
        if unsafe { &*group }.leave() {
            wake_waiters(team);
        }
    }
    // The last step, because barriers wait for it.
    thread.member().tasks.account.complete();
}

/// The completed `task` of `team` lets its successors go. Those that wait for nothing any more are queued by `member`,
/// the calling thread, or if there is none by a thread that is no member of the team.
#[cold]
fn release_successors(member: Option<&'static Thread>, team: &Team, task: &Task) {
    // SAFETY: `depend.rs` made the pointer by `into_raw`; the task is complete and gives it back once.
    let node = unsafe { NodeRef::from_raw(task.node.replace(std::ptr::null())) };
    node.release(|node| let_go(member, team, node));
}

/// Queues the task of a node that waits for nothing, or wakes the thread that waits for the node.
fn let_go(member: Option<&'static Thread>, team: &Team, node: &Node) {
    // SAFETY: a task that has not started is alive.
    let Some(task) = (unsafe { node.task().as_ref() }) else { return wake_waiters(team) };
    if task.has(flag::UNDEFERRED) {
        // The thread that waits to execute the task goes on.
        node.let_start();
        wake_waiters(team);
    } else if task.has(flag::DEVICE) {
        helper::post_at(
            task.priority.get(),
            Box::new(move || execute_from_outside(current::current(), task, |_, _| ())),
        );
    } else if let Some(thread) = member {
        if !task.has(flag::POOL) || !offer(thread, task) {
            publish(thread, task);
        }
    } else {
        hand_to(team, task);
    }
}
