//! Finding a task to execute, executing it, completing it (OpenMP 5.1 §2.12.6).
//!
//! The task scheduling constraint is kept in a stricter form: a thread that waits inside an explicit
//! task, tied or not, starts only that task's descendants. So stacks nest no deeper than tasks do.

use super::{cancel, create, depend, detach, transparent};
use crate::arch;
use crate::objects::call::Caller;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::structures::{Member, Team};
use crate::objects::task::flag;
use crate::objects::{body, switch};
use crate::ompd;
use crate::ompt;
use crate::protocol::deque;
use crate::protocol::quiescence;
use std::sync::atomic::Ordering;

/// Set in `held` when the task is complete and so are its children.
const OVER: u32 = 1 << 31;
/// The longest pause after a vain search or a lost race, about a microsecond.
const MOST_PAUSES: u32 = 24;

/// Executes at most one task of the current member's team that this thread may execute in a
/// barrier, or inside the explicit task that it executes now. Returns whether it executed one.
pub fn help(thread: &'static Thread) -> bool {
    let task = thread.task();
    help_within(thread, task.is_explicit().then_some(task))
}

/// As [`help`], for a thread that is just up from its sleep on the barrier's event: if it finds a task
/// and there are more, it calls the next sleeper first.
#[cold]
pub fn help_when_called(thread: &'static Thread) -> bool {
    let member = thread.member();
    let team = member.team();
    let Some(task) = find(member, None) else { return false };
    if !team.tasks.queue.is_empty() || team.members().any(|other| !other.tasks.deque.is_empty()) {
        team.barrier.event.call_one();
    }
    resume(thread, task);
    true
}

/// As [`help`], with descendants of `within` only, unless that is `None`.
#[inline]
pub(super) fn help_within(thread: &'static Thread, within: Option<&Task>) -> bool {
    match find(thread.member(), within) {
        Some(task) => {
            resume(thread, task);
            true
        }
        None => false,
    }
}

/// The current task, which has encountered a taskyield construct, is set aside for one of its
/// descendants, if one is ready.
pub(super) fn give_way(thread: &'static Thread) {
    let task = thread.task();
    match find(thread.member(), Some(task)) {
        Some(next) if next.has(flag::FINISHED) => finish(thread, next),
        Some(next) => execute_watched(thread, next, to_debuggers_too(next, ompt::task_yield)),
        None => {}
    }
}

/// Whether no task is left that was created before barrier `epoch`. For a caller that has seen all
/// members arrive there.
pub fn quiescent(team: &Team, epoch: u64) -> bool {
    let counts = Members { team, next: 0 };
    quiescence::quiescent(counts, epoch as usize & 1)
}

/// As [`quiescent`], whatever phases members were in: for a caller that has seen all arrive at the join.
pub fn quiescent_in_both_phases(team: &Team) -> bool {
    quiescence::all_quiescent(Members { team, next: 0 })
}

/// The counts of a team's members.
#[derive(Clone)]
struct Members<'a> {
    team: &'a Team,
    next: u32,
}

impl<'a> Iterator for Members<'a> {
    type Item = &'a quiescence::Counts;
    fn next(&mut self) -> Option<Self::Item> {
        let tid = self.next;
        if tid >= self.team.nthreads() {
            return None;
        }
        self.next += 1;
        Some(&self.team.member(tid).tasks.counts)
    }
}

/// Whether a thread that waits in `within` may start `task`. Any header may be asked, also one that
/// is not a live task's; the answer then means nothing, but is given.
#[inline(always)]
fn allowed(task: &Task, within: Option<&Task>) -> bool {
    match within {
        None => true,
        Some(ancestor) => descends(task, ancestor),
    }
}

#[inline]
fn descends(task: &Task, ancestor: &Task) -> bool {
    let wanted = std::ptr::from_ref(ancestor);
    let mut parent = task.parent.load(Ordering::Relaxed).cast_const();
    if parent == wanted {
        return true;
    }
    if !ancestor.is_explicit() {
        return task.root.load(Ordering::Relaxed).cast_const() == wanted;
    }
    // Each step goes up a generation, so a header that is not what it was cannot lead round in
    // circles.
    let floor = ancestor.depth.load(Ordering::Relaxed);
    let mut depth = task.depth.load(Ordering::Relaxed);
    // SAFETY: null or a header; headers stay mapped, and what is read of them is atomic.
    while let Some(task) = unsafe { parent.as_ref() } {
        let here = task.depth.load(Ordering::Relaxed);
        if here <= floor || here >= depth {
            return false;
        }
        depth = here;
        parent = task.parent.load(Ordering::Relaxed);
        if parent == wanted {
            return true;
        }
    }
    false
}

/// Takes a task: from the team's queue, the member's own, or another member's.
#[inline]
fn find(member: &Member, within: Option<&Task>) -> Option<&'static Task> {
    let team = member.team();
    if !team.tasks.queue.is_empty() {
        // A finished task may be completed anywhere, unless that queues successors: above what this
        // thread waits for, tasks that it may not start would hide those that it has to.
        let may = |task: &Task| task.has(flag::FINISHED) && task.node.get().is_null() || allowed(task, within);
        if let Some(task) = team.tasks.queue.take(may) {
            return Some(task);
        }
    }
    let alone = team.nthreads() == 1;
    let deque = &member.tasks.deque;
    if let Some(newest) = deque.newest() {
        // SAFETY: what is in a queue is a header, and headers stay mapped.
        if allowed(unsafe { &*newest }, within)
            && let Some(task) = deque.pop(alone)
        {
            // SAFETY: taken from the queue, so alive and this thread's.
            return Some(unsafe { &*task });
        }
    }
    let stolen = if alone { None } else { steal(member, team, within) };
    if stolen.is_none() && !team.tasks.aside.is_empty() {
        return team.tasks.aside.take(|task| allowed(task, within));
    }
    stolen
}

#[inline(never)]
fn steal(member: &Member, team: &Team, within: Option<&Task>) -> Option<&'static Task> {
    let nthreads = team.nthreads();
    // The team may have shrunk since.
    let first = member.tasks.victim.get() % nthreads;
    for step in 0..nthreads {
        let tid = if first + step < nthreads { first + step } else { first + step - nthreads };
        if tid == member.tid {
            continue;
        }
        let deque = &team.member(tid).tasks.deque;
        let mut losses = 0;
        // Until there is nothing for this thread: only then may it sleep, because a task that joins others wakes
        // nobody. Each loss is an item that somebody else took, so the team got on, and soon a look wins or finds
        // nothing.
        loop {
            // SAFETY: as in `find`.
            match deque.steal(|task| allowed(unsafe { &*task }, within)) {
                deque::Stolen::Taken(task) => {
                    member.tasks.victim.set(tid);
                    member.tasks.misses.set(0);
                    // SAFETY: as in `find`.
                    return Some(unsafe { &*task });
                }
                deque::Stolen::Lost => {
                    losses = (losses + 1).min(MOST_PAUSES);
                    for _ in 0..losses {
                        std::hint::spin_loop();
                    }
                }
                _ => break,
            }
        }
    }
    // Each look takes a cache line away from the thread that is working: look less often.
    let misses = member.tasks.misses.get();
    member.tasks.misses.set((misses + 1).min(MOST_PAUSES));
    for _ in 0..misses {
        std::hint::spin_loop();
    }
    // Elsewhere next time.
    member.tasks.victim.set((first + 1) % nthreads);
    None
}

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
fn finish(thread: &'static Thread, task: &Task) {
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
        switch_watched(thread, task);
    } else {
        execute_unwatched(thread, task);
    }
}

/// As [`execute`], for a task that the current one generates at `call`.
#[inline(always)]
pub(super) fn execute_for<C: Caller>(thread: &'static Thread, task: &'static Task, _call: C) {
    if C::ASKED {
        execute(thread, task);
    } else {
        execute_unwatched(thread, task);
    }
}

/// As [`execute`], without a tool.
#[inline(never)]
fn execute_unwatched(thread: &'static Thread, task: &'static Task) {
    execute_as::<false>(thread, task, |_, _, _| ());
}

/// As [`execute`], with a tool. Cold for those who call it only: with a tool, what it does is what tasks cost.
#[cold]
#[inline(never)]
fn switch_watched(thread: &'static Thread, task: &'static Task) {
    if ompd::watches() {
        return execute_watched(thread, task, to_debuggers_too(task, ompt::task_switch));
    }
    execute_watched(thread, task, ompt::task_switch);
}

/// What reports the switch to `task`, and, if a debugger is to know, that its code begins.
#[inline(always)]
fn to_debuggers_too(task: &Task, tell: impl FnOnce(&Thread, &Task, &Task)) -> impl FnOnce(&Thread, &Task, &Task) {
    let begins = ompd::watches() && !task.has(flag::BEGUN);
    move |thread, outer, task| {
        tell(thread, outer, task);
        if begins && !task.was_discarded() {
            // It is the current one when they look.
            thread.set_task(task);
            ompt::task_code_begins();
        }
    }
}

/// As [`execute`], on a thread that is no member of the task's team.
#[cold]
pub(super) fn execute_from_outside(thread: &'static Thread, task: &'static Task) {
    let tell = |thread: &Thread, outer: &Task, task: &Task| {
        ompt::task_switch(thread, outer, task);
        ompt::works_in(thread, task);
    };
    execute_watched(thread, task, to_debuggers_too(task, tell));
}

/// As [`execute`]; `tell` reports the switch from the current task.
#[inline(never)]
fn execute_watched(thread: &'static Thread, task: &'static Task, tell: impl FnOnce(&Thread, &Task, &Task)) {
    let _inside = ompt::TaskInside::new(thread, task);
    execute_as::<true>(thread, task, tell);
}

/// As [`execute`], for a tool or, which compiles to less, without one; `tell` reports the switch from the current task.
#[inline(always)]
fn execute_as<const WATCHED: bool>(
    thread: &'static Thread,
    task: &'static Task,
    tell: impl FnOnce(&Thread, &Task, &Task),
) {
    let outer = thread.task();
    let special = task.has(flag::CANCELLABLE | flag::LOOP_CHUNK);
    let discarded = special && cancel::discarded(task);
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
    end::<WATCHED>(thread, outer, task);
}

/// Calls the code of `task`, the current one.
#[inline(always)]
pub(super) fn run_body(thread: &Thread, task: &Task) {
    let body = task.body.get();
    let a = if task.has(flag::NUMBERED) { thread.gtid() as usize } else { body.a };
    // SAFETY: the door that made the body vouches for the function and its arguments.
    unsafe { arch::call_outlined(body.function, a, body.b, task.tool.exit_frame_slot()) };
}

/// The task's code has returned, and `outer` goes on. `WATCHED` is whether there may be a tool.
#[inline(always)]
pub(super) fn end<const WATCHED: bool>(thread: &'static Thread, outer: &Task, task: &'static Task) {
    let after = task.body.get().after;
    if !after.is_null() {
        call_after(task);
    }
    if WATCHED && switch::active() {
        task.tool.code_returned();
    }
    if task.has(flag::DETACHABLE | flag::DEVICE | flag::POOL) && !detach::body_returned(thread, outer, task) {
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
    create::set_aside(thread.member().team(), task);
}

/// Runs all parts of an untied task that must be complete when its generating task goes on: of an
/// undeferred one, and of one outside of all parallel regions. Returns whether `task` is such a one.
#[cold]
fn run_other_parts(thread: &Thread, task: &Task) -> bool {
    if !task.has(flag::UNDEFERRED) && thread.member().tasks.mode.get() != body::Mode::Outside {
        return false;
    }
    while wants_more(task) {
        task.flags.set(task.flags.get() & !flag::AGAIN);
        run_body(thread, task);
    }
    true
}

/// Everything that follows from a task being complete. The header may be anybody's afterwards.
#[inline(always)]
pub(super) fn complete(thread: &'static Thread, task: &Task) {
    let team = thread.member().team();
    let parent = task.parent().expect("an explicit task has a parent");
    if !task.children.get().is_null() {
        transparent::leave_children(parent, task);
    }
    if !task.node.get().is_null() {
        depend::release_successors(thread, task);
    }
    let flags = task.flags.get();
    let group = task.group.get();
    let whole = task.created.get() == 0 && task.held.load(Ordering::Relaxed) == 0 || children_are_done(task, parent);
    if flags & (flag::UNDEFERRED | flag::COUNTED) == flag::UNDEFERRED {
        if whole {
            thread.tasks.give(task);
        }
        return;
    }
    if std::ptr::eq(parent.executor.load(Ordering::Relaxed), thread) {
        parent.done_here.set(parent.done_here.get() + 1);
    } else {
        // Sequentially consistent, here and where the parent goes to sleep: either it sees this
        // child's completion, or this thread sees how many it waits for.
        let before = parent.done_elsewhere.fetch_add(1, Ordering::SeqCst);
        if before >= 0 && parent.awaited.load(Ordering::SeqCst) == (before + 1) as u32 {
            create::wake_waiters(team);
        }
        if before == -1 {
            last_child(thread, parent);
        }
    }
    if whole {
        thread.tasks.give(task);
    }
    if !group.is_null() {
        // SAFETY: a group lives until all its tasks are complete, and this one is not until here.
        if unsafe { &*group }.leave() {
            create::wake_waiters(team);
        }
    }
    // Last: what a barrier waits for.
    thread.member().tasks.counts.complete(usize::from(flags & flag::PARITY != 0));
}

/// Whether all children of the completed `task` are complete and their headers gone. If not, the
/// last of them frees this header, and `parent`'s stays until then.
#[cold]
fn children_are_done(task: &Task, parent: &Task) -> bool {
    let others = (task.created.get() - task.done_here.get()) as i64;
    // Nobody takes the task for its own any more.
    task.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
    // For debuggers: the header is there for the children's sake alone.
    task.flags.set(task.flags.get() | flag::FINISHED);
    // Relaxed: the parent is incomplete until this thread says so, by a release.
    parent.held.fetch_add(1, Ordering::Relaxed);
    // AcqRel: what the children did to this header comes before its next use.
    let before = task.done_elsewhere.fetch_sub(others, Ordering::AcqRel);
    let whole = before == others && seal(task);
    if whole {
        // Nobody saw it.
        parent.held.fetch_sub(1, Ordering::Relaxed);
    }
    whole
}

/// The task and its children are complete: whether their headers are gone as well.
fn seal(task: &Task) -> bool {
    // AcqRel: as above, for the headers of children.
    task.held.load(Ordering::Acquire) == 0 || task.held.fetch_or(OVER, Ordering::AcqRel) == 0
}

/// The completed `task` has just lost its last incomplete child.
#[cold]
fn last_child(thread: &Thread, task: &Task) {
    let mut task = task;
    if !seal(task) {
        return;
    }
    loop {
        let parent = task.parent().expect("an explicit task has a parent");
        thread.tasks.give(task);
        let before = parent.held.fetch_sub(1, Ordering::AcqRel);
        if before != OVER + 1 {
            return;
        }
        task = parent;
    }
}
