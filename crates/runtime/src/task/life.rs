//! The life of a task (OpenMP 5.1 §2.12.1, §2.12.6): its states, and each transition between two of them.
//!
//! Other files decide: `create.rs` what a construct asks for, `depend.rs` who waits for whom, `schedule.rs` which task
//! a thread takes next, `wait.rs` how long a thread helps. What happens to the task then is here. `README.md` has the
//! picture.

use super::offers;
use super::rest;
use super::transparent;
use crate::arch;
use crate::model::atomic::AtomicU32;
use crate::model::atomic::Ordering;
use crate::objects::body::Body;
use crate::objects::body::Mode;
use crate::objects::call::Caller;
use crate::objects::current;
use crate::objects::structures::Group;
use crate::objects::structures::Member;
use crate::objects::structures::Node;
use crate::objects::structures::Task;
use crate::objects::structures::Team;
use crate::objects::structures::Thread;
use crate::objects::switch;
use crate::objects::task::flag;
use crate::ompd;
use crate::ompt;
use crate::protocol::children::Completion;
use crate::protocol::detach::Fulfilment;
use crate::task::helper;
use ::ompt::CancelFlag;
use std::sync::Arc;

// Created, and counted by those who wait for it.

/// A task with `bytes` of payload, child of `thread`'s current task, not yet generated: the caller
/// fills the payload and the body, then calls [`launch`] or [`begin_undeferred`], or
/// [`unlaunched`]. `flags` are [`flag`]s.
#[inline]
pub fn create(thread: &Thread, bytes: usize, flags: u32, priority: i32) -> &'static Task {
    let parent = thread.task();
    let task = thread.tasks.take(if flags & flag::LOOP_CHUNK == 0 { bytes } else { Task::bytes_with_chunk(bytes) });
    task.parent.store(std::ptr::from_ref(parent).cast_mut(), Ordering::Relaxed);
    task.root.store(parent.root.load(Ordering::Relaxed), Ordering::Relaxed);
    task.depth.store(parent.depth.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    let mut flags = flags | flag::EXPLICIT | parent.flags.get() & (flag::CANCELLABLE | flag::RECORDING);
    if parent.is_final() {
        // An included task.
        flags |= flag::FINAL | flag::UNDEFERRED;
    }
    let odd = if parent.is_explicit() { parent.has(flag::PARITY) } else { (thread.member().epoch.get() + 1) & 1 != 0 };
    if odd {
        flags |= flag::PARITY;
    }
    task.flags.set(flags);
    task.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
    task.generated.reset();
    task.priority.set(priority);
    task.group.set(parent.group.get());
    task.team.set(thread.member().team());
    task.node.set(std::ptr::null());
    task.children.set(std::ptr::null_mut());
    task.bytes.set(bytes as u32);
    // SAFETY: the new task is nobody else's, and the current task's ICVs are this thread's.
    unsafe { *task.icvs.get() = *thread.icvs() };
    if switch::active() {
        prepare_for_tool(thread, task);
    }
    task
}

#[cold]
fn prepare_for_tool(thread: &Thread, task: &Task) {
    task.tool.reset();
    task.recorded.store(false, Ordering::Relaxed);
    if ompt::in_callback(thread) {
        // Tools would hear of it from others who executed it.
        task.flags.set(task.flags.get() | flag::UNDEFERRED);
    }
}

/// Counts a deferred task with everybody who has to wait for it.
#[inline(always)]
pub(super) fn count(thread: &Thread, member: &Member, parent: &Task, task: &Task) {
    if !std::ptr::eq(parent.executor.load(Ordering::Relaxed), thread) {
        parent.executor.store(std::ptr::from_ref(thread).cast_mut(), Ordering::Relaxed);
    }
    parent.generated.generate();
    let group = task.group.get();
    if !group.is_null() {
        // SAFETY: a group lives until all its tasks are complete; the parent is one, or its owner.
        unsafe { &*group }.enter();
    }
    member.tasks.counts.create(usize::from(task.has(flag::PARITY)));
    if member.tasks.mode.get() == Mode::Unknown {
        first_of_region(member);
    }
}

/// The member's first task in this region.
#[cold]
fn first_of_region(member: &Member) {
    let team = member.team();
    member.tasks.mode.set(match (team.region.level.get(), team.nthreads()) {
        (0, _) => Mode::Outside,
        (_, 1) => Mode::Alone,
        _ => Mode::Shared,
    });
    team.announce_tasks();
}

impl Task {
    /// Says what the task runs. Before it is launched.
    #[inline(always)]
    pub fn set_body(&self, body: Body) {
        self.body.set(body);
    }

    /// What the task runs.
    #[inline(always)]
    pub fn body(&self) -> Body {
        self.body.get()
    }

    /// The priority clause's value.
    pub fn priority(&self) -> i32 {
        self.priority.get()
    }

    /// Adds [`flag`]s and takes others away. Before the task is launched.
    pub fn change_flags(&self, add: u32, remove: u32) {
        self.flags.set((self.flags.get() | add) & !remove);
    }

    /// The priority clause's value. Before the task is launched.
    pub fn set_priority(&self, priority: i32) {
        self.priority.set(priority);
    }
}

// Queued, and who is woken for it.

/// Queues a task that has been counted and waits for nothing.
#[inline(always)]
pub(super) fn publish(thread: &Thread, task: &Task) {
    let member = thread.member();
    if task.priority.get() > 0 {
        publish_prioritised(member.team(), task);
        return;
    }
    let alone = member.team().nthreads() == 1;
    if member.tasks.deque.push(task, alone) {
        call_for_help(member.team());
    }
}

/// Calls one of the threads that sleep for want of tasks, and those that wait inside tasks, who may
/// not execute every one. The caller has published a task by a sequentially consistent
/// read-modify-write, which a sleeper's last look either sees or comes before this look.
#[inline(always)]
fn call_for_help(team: &Team) {
    team.barrier.event.call_one();
    wake_waiters(team);
}

/// Wakes the threads that wait for children, groups or predecessors. The caller has published what
/// they wait for, as for [`call_for_help`].
#[inline(always)]
fn wake_waiters(team: &Team) {
    if team.waits.has_sleepers() {
        team.waits.notify_all();
    }
}

/// Wakes whoever may have to do with a task that was put into the team's queue.
#[cold]
fn wake_all(team: &Team) {
    team.barrier.event.notify_all();
    team.waits.notify_all();
}

/// As [`publish`], on a thread that is no member of `team`.
#[cold]
fn publish_from_outside(team: &Team, task: &Task) {
    publish_prioritised(team, task);
}

/// Queues `task`, which has been counted and waits for nothing, where free agents may take it as well. Returns false if
/// it goes the ordinary way.
#[cold]
pub(super) fn offer(thread: &Thread, task: &Task) -> bool {
    let team = thread.member().team();
    if !offers::open(team, task) {
        return false;
    }
    publish(thread, task);
    offers::announce(team);
    true
}

#[cold]
fn publish_prioritised(team: &Team, task: &Task) {
    team.tasks.queue.put(task);
    wake_all(team);
}

/// Queues a task that has run and is to go on, on any thread, but after others: a task that yields lets
/// those run that it may be waiting for.
#[cold]
fn set_aside(team: &Team, task: &Task) {
    team.tasks.aside.put(task);
    wake_all(team);
}

// Executing.

/// Goes on with a task that this thread has taken, or generated.
#[inline(always)]
pub(super) fn resume(thread: &'static Thread, task: &'static Task) {
    if task.has(flag::FINISHED) {
        finish(thread, task);
    } else {
        execute(thread, task);
    }
}

/// Completes a task without code to run: its body has returned and its event is fulfilled, or it never had one.
#[cold]
pub(super) fn finish(thread: &'static Thread, task: &Task) {
    if task.has(flag::TASKWAIT) {
        ompt::taskwait_complete(thread, task);
    }
    complete(thread, task);
}

/// Executes `task` on top of the current one: to its end, to the end of its part, or until only its
/// event is missing.
#[inline(always)]
pub(super) fn execute(thread: &'static Thread, task: &'static Task) {
    if switch::active() {
        switch_for_tools(thread, task);
    } else {
        execute_without_tool(thread, task);
    }
}

/// As [`execute`], for a task that the current one generates at `call`.
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

/// As [`execute`], with a tool. Cold for those who call it only: with a tool, what it does is what tasks cost.
#[cold]
#[inline(never)]
fn switch_for_tools(thread: &'static Thread, task: &'static Task) {
    if ompd::debugging() {
        return execute_for_tools(thread, task, to_debuggers_too(task, ompt::task_switch));
    }
    execute_for_tools(thread, task, ompt::task_switch);
}

/// What reports the switch to `task`, and, if a debugger is to know, that its code begins.
#[inline(always)]
pub(super) fn to_debuggers_too(
    task: &Task,
    tell: impl FnOnce(&Thread, &Task, &Task),
) -> impl FnOnce(&Thread, &Task, &Task) {
    let begins = ompd::debugging() && !task.has(flag::BEGUN);
    move |thread, outer, task| {
        tell(thread, outer, task);
        if begins && !task.was_discarded() {
            // It is the current one when they look.
            thread.set_task(task);
            ompt::task_code_begins();
        }
    }
}

/// As [`execute`], on a thread that is no member of the task's team; `descendants` is for [`body_returned`].
#[cold]
pub(super) fn execute_from_outside(
    thread: &'static Thread,
    task: &'static Task,
    descendants: impl FnOnce(&'static Thread, &Task),
) {
    let tell = |thread: &Thread, outer: &Task, task: &Task| {
        ompt::task_switch(thread, outer, task);
        ompt::works_in(thread, task);
    };
    let _inside = ompt::TaskInside::new(thread, task);
    execute_as::<true>(thread, task, to_debuggers_too(task, tell), descendants);
}

/// As [`execute`]; `tell` reports the switch from the current task.
#[inline(never)]
pub(super) fn execute_for_tools(
    thread: &'static Thread,
    task: &'static Task,
    tell: impl FnOnce(&Thread, &Task, &Task),
) {
    let _inside = ompt::TaskInside::new(thread, task);
    execute_as::<true>(thread, task, tell, |_, _| ());
}

/// As [`execute`], for a tool or, which compiles to less, without one; `tell` reports the switch from the current task.
#[inline(always)]
fn execute_as<const WATCHED: bool>(
    thread: &'static Thread,
    task: &'static Task,
    tell: impl FnOnce(&Thread, &Task, &Task),
    descendants: impl FnOnce(&'static Thread, &Task),
) {
    let outer = thread.task();
    let special = task.has(flag::CANCELLABLE | flag::LOOP_CHUNK);
    let discarded = special && discarded(task);
    tell(thread, outer, task);
    thread.set_task(task);
    if !discarded {
        if special && let Some(chunk) = task.take_chunk() {
            ompt::taskloop_chunk(thread, task, chunk);
        }
        run_body(thread, task);
    }
    if task.has(flag::AGAIN | flag::ASYNCHRONOUS) && wants_more(task) && !run_other_parts(thread, task) {
        return suspend(thread, outer, task);
    }
    end_with::<WATCHED>(thread, outer, task, descendants);
}

/// Calls the code of `task`, the current one.
#[inline(always)]
pub(super) fn run_body(thread: &Thread, task: &Task) {
    let body = task.body.get();
    let a = if task.has(flag::NUMBERED) { thread.gtid() as usize } else { body.a };
    // SAFETY: the entry point that made the body vouches for the function and its arguments.
    unsafe { arch::call_outlined(body.function, a, body.b, task.tool.exit_frame_slot()) };
}

/// The task's code has returned, and `outer` goes on. `WATCHED` is whether there may be a tool.
#[inline(always)]
pub(super) fn end<const WATCHED: bool>(thread: &'static Thread, outer: &Task, task: &'static Task) {
    end_with::<WATCHED>(thread, outer, task, |_, _| ());
}

/// As [`end`]; `descendants` is for [`body_returned`].
#[inline(always)]
fn end_with<const WATCHED: bool>(
    thread: &'static Thread,
    outer: &Task,
    task: &'static Task,
    descendants: impl FnOnce(&'static Thread, &Task),
) {
    let after = task.body.get().after;
    if !after.is_null() {
        call_after(task);
    }
    if WATCHED && switch::active() {
        task.tool.code_returned();
    }
    if task.has(flag::DETACHABLE | flag::DEVICE | flag::POOL) && !body_returned(thread, outer, task, descendants) {
        thread.set_task(outer);
        return;
    }
    if WATCHED {
        ompt::task_complete(thread, task, outer);
    }
    thread.set_task(outer);
    complete(thread, task);
}

#[cold]
fn call_after(task: &Task) {
    let body = task.body.get();
    // SAFETY: as for the body itself.
    unsafe {
        arch::call_outlined(body.after, body.a, body.b, task.tool.exit_frame_slot());
    }
}

/// Whether the body, which has returned, is to be called again.
#[cold]
pub(super) fn wants_more(task: &Task) -> bool {
    // SAFETY: the task is this thread's.
    task.has(flag::AGAIN) || task.asynchronous().is_some_and(|handle| !unsafe { *handle }.is_null())
}

/// A task's body has returned and is to be called again, on any thread: an untied task's next part, or
/// an operation may have come to its end.
#[cold]
fn suspend(thread: &'static Thread, outer: &Task, task: &'static Task) {
    task.change_flags(flag::BEGUN, flag::AGAIN);
    task.tool.code_returned();
    ompt::task_suspend(thread, task, outer);
    thread.set_task(outer);
    // Children that complete from here on must not take the task for theirs.
    task.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
    set_aside(thread.member().team(), task);
}

/// Runs all parts of an untied task that must be complete when its generating task goes on: of an
/// undeferred one, and of one outside of all parallel regions. Returns whether `task` is such a one.
#[cold]
fn run_other_parts(thread: &Thread, task: &Task) -> bool {
    if !task.has(flag::UNDEFERRED) && thread.member().tasks.mode.get() != Mode::Outside {
        return false;
    }
    while wants_more(task) {
        task.flags.set(task.flags.get() & !flag::AGAIN);
        run_body(thread, task);
    }
    true
}

/// Whether `task`, which is about to run, is to be skipped, because its region has been cancelled
/// before it began. What follows the code of a task follows this one's all the same, but that its event
/// counts as fulfilled: nobody is left to fulfil it.
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
        // The event is none any more.
        task.event.discard();
        task.change_flags(0, flag::DETACHABLE);
    }
    true
}

// The body has returned: complete, or detached until the event is fulfilled or the device is done.

/// Tasks of which only the event is missing. A plain counter, for a producer that is held back.
static OPEN: AtomicU32 = AtomicU32::new(0);

/// Whether there are tasks of which only the event is missing.
pub(super) fn is_any_open() -> bool {
    OPEN.load(Ordering::Relaxed) > 0
}

/// The body of `task`, a detachable one, a device's or one for free agents, has returned, and `outer` goes on. Returns
/// whether the task is complete; if not, it completes when its event is fulfilled, and is not this thread's any more.
/// `descendants` waits for the descendants of a task that a free agent has executed: the team's barriers do not count
/// them.
#[cold]
fn body_returned(
    thread: &'static Thread,
    outer: &Task,
    task: &'static Task,
    descendants: impl FnOnce(&'static Thread, &Task),
) -> bool {
    if task.has(flag::DEVICE) {
        return construct_returned(thread, outer, task);
    }
    let by_agent = task.has(flag::POOL) && is_of_another_team(thread, task);
    if by_agent {
        descendants(thread, task);
    }
    let event = &task.event;
    if !task.has(flag::DETACHABLE) || event.body_returns() {
        if by_agent {
            complete_elsewhere(thread, outer, task);
        }
        return !by_agent;
    }
    ompt::task_detach(thread, task, outer);
    // The generating task of an undeferred task waits for its code only, which may be followed by the call that fulfils
    // the event. Children that complete from here on must not take the task for theirs: another thread may be about to
    // complete it, which counts those that are left.
    task.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
    task.change_flags(flag::FINISHED, 0);
    OPEN.fetch_add(1, Ordering::Relaxed);
    event.let_go();
    false
}

/// The event of `task` is fulfilled, and its body has returned: the members of its team complete the task.
pub(super) fn fulfilled(task: &Task) {
    OPEN.fetch_sub(1, Ordering::Relaxed);
    if let Some(team) = task.team() {
        hand_to(team, task);
    }
}

/// Hands a task whose body has returned to the members of its team: one of them completes it, so that it is counted
/// where barriers look.
fn hand_to(team: &Team, task: &Task) {
    team.tasks.queue.put(task);
    wake_all(team);
}

/// Whether `task` belongs to another team than the calling thread does.
fn is_of_another_team(thread: &Thread, task: &Task) -> bool {
    task.team().is_some_and(|team| !std::ptr::eq(team, thread.member().team()))
}

/// As [`body_returned`], of a target task whose construct a device executes.
#[cold]
fn construct_returned(thread: &'static Thread, outer: &Task, task: &'static Task) -> bool {
    // SAFETY: the word of the current task.
    if unsafe { !(*rest::rest(task)).is_null() } {
        if !task.event.body_returns() {
            ompt::task_suspend(thread, task, outer);
            // Children that complete from here on must not take the task for theirs.
            task.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
            task.event.let_go();
            return false;
        }
        rest::do_rest(thread, task);
    }
    if is_of_another_team(thread, task) {
        complete_elsewhere(thread, outer, task);
        return false;
    }
    true
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
            rest::do_rest(thread, task);
            complete_elsewhere(thread, outer, task);
        }
        other => unreachable!("a target task is left once: {other:?}"),
    }
}

/// The current task `task` is complete, on a thread that is no member of its team; `outer` goes on.
fn complete_elsewhere(thread: &Thread, outer: &Task, task: &Task) {
    let Some(team) = task.team() else { return };
    ompt::task_complete(thread, task, outer);
    thread.set_task(outer);
    task.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
    if !task.node.get().is_null() {
        release_successors_from_outside(task, team);
    }
    task.change_flags(flag::FINISHED, 0);
    hand_to(team, task);
}

// Complete: the successors go on, the parent hears of it, and the header is released.

/// Everything that follows from a task being complete. The header may be anybody's afterwards.
#[inline(always)]
fn complete(thread: &'static Thread, task: &Task) {
    let team = thread.member().team();
    let parent = task.parent().expect("an explicit task has a parent");
    if !task.children.get().is_null() {
        transparent::leave_children(parent, task);
    }
    if !task.node.get().is_null() {
        release_successors(thread, task);
    }
    let flags = task.flags.get();
    let group = task.group.get();
    let whole = task.generated.are_none() || children_are_done(task, parent);
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
            Completion::Last => last_child(thread, parent),
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
    // Last: what a barrier waits for.
    thread.member().tasks.counts.complete(usize::from(flags & flag::PARITY != 0));
}

/// Whether all children of the completed `task` are complete and their headers gone. If not, the
/// last of them frees this header, and `parent`'s stays until then.
#[cold]
fn children_are_done(task: &Task, parent: &Task) -> bool {
    // Nobody takes the task for its own any more.
    task.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
    // For debuggers: the header is there for the children's sake alone.
    task.flags.set(task.flags.get() | flag::FINISHED);
    task.generated.hand_over(&parent.generated)
}

/// The completed `task` has just lost its last incomplete child.
#[cold]
fn last_child(thread: &Thread, task: &Task) {
    let mut task = task;
    if !task.generated.seal() {
        return;
    }
    loop {
        let parent = task.parent().expect("an explicit task has a parent");
        thread.tasks.give(task);
        if !parent.generated.let_go() {
            return;
        }
        task = parent;
    }
}

/// The completed `task` lets its successors go.
#[cold]
fn release_successors(thread: &'static Thread, task: &Task) {
    release(task, |node| queue(thread, node));
}

/// As [`release_successors`], on a thread that is no member of `team`, which the task belongs to.
#[cold]
fn release_successors_from_outside(task: &Task, team: &Team) {
    // SAFETY: as in `queue`.
    release(task, |node| match unsafe { node.task().as_ref() } {
        Some(task) if task.has(flag::UNDEFERRED) => let_start(node, team),
        Some(task) if task.has(flag::DEVICE) => helper::execute(task),
        Some(task) => publish_from_outside(team, task),
        None => wake_waiters(team),
    });
}

/// The completed `task` lets its successors go, to `queue` where they wait for nothing any more.
fn release(task: &Task, queue: impl Fn(&Node)) {
    // SAFETY: made by `register` with `into_raw`; the task is complete and gives it back once.
    let node = unsafe { Arc::from_raw(task.node.replace(std::ptr::null())) };
    node.release(queue);
}

/// Nothing is in the way of the node's undeferred task any more: the thread that waits to execute it goes on.
fn let_start(node: &Node, team: &Team) {
    node.let_start();
    wake_waiters(team);
}

/// Queues the task of a node that waits for nothing, or wakes who waits for it.
fn queue(thread: &'static Thread, node: &Node) {
    // SAFETY: a task that has not started is alive.
    match unsafe { node.task().as_ref() } {
        Some(task) if task.has(flag::UNDEFERRED) => let_start(node, thread.member().team()),
        Some(task) if task.has(flag::DEVICE) => helper::execute(task),
        Some(task) if task.has(flag::POOL) && offer(thread, task) => {}
        Some(task) => publish(thread, task),
        None => wake_waiters(thread.member().team()),
    }
}
