//! Creating and generating explicit tasks (OpenMP 5.1 §2.12.1, §2.19.5): the begin of a task's life.
//!
//! A deferred task is counted, and then queued by `life.rs`. Undeferred and included tasks run in place and touch
//! nothing that other threads see. So does a task in a team of one thread, if nothing is in its way.

use super::agents;
use super::depend;
use super::detach;
use super::life;
use super::offers;
use super::recording;
use super::schedule;
use super::table::{self, table};
use super::wait;
use crate::icv;
use crate::model::atomic::Ordering;
use crate::objects::body::Mode;
use crate::objects::call::Caller;
use crate::objects::dependence::{Dependence, Dependences};
use crate::objects::structures::{Member, Task, Thread};
use crate::objects::switch;
use crate::objects::task::flag;
use crate::ompt;
use std::hint::cold_path;
use std::time::Duration;

/// Creates a task with `bytes` of payload, a child of `thread`'s current task. `flags` are [`flag`]s.
///
/// The caller fills in the payload and the body. Then the caller generates the task by [`launch`] or
/// [`begin_undeferred`], or drops it by `thread.tasks.give`.
#[inline]
pub fn create(thread: &Thread, bytes: usize, flags: u32, priority: i32) -> &'static Task {
    let task = thread.tasks.take(if flags & flag::LOOP_CHUNK == 0 { bytes } else { Task::bytes_with_chunk(bytes) });
    fill(thread, task, bytes, flags, priority);
    if switch::active() {
        prepare_for_tool(thread, task);
    }
    task
}

/// As [`create`], for a task without [`flag::LOOP_CHUNK`] that the program generates at `call`.
#[inline(always)]
pub fn create_for(thread: &Thread, bytes: usize, flags: u32, priority: i32, call: impl Caller) -> &'static Task {
    if call.for_possible_tool().is_some() {
        return create(thread, bytes, flags, priority);
    }
    let task = thread.tasks.take(bytes);
    fill(thread, task, bytes, flags, priority);
    task
}

/// Makes the header of a block that of a new task, a child of `thread`'s current task, as [`create`] describes.
#[inline(always)]
pub(super) fn fill(thread: &Thread, task: &Task, bytes: usize, flags: u32, priority: i32) {
    let parent = thread.task();
    task.parent.store(std::ptr::from_ref(parent).cast_mut(), Ordering::Relaxed);
    task.root.store(parent.root.load(Ordering::Relaxed), Ordering::Relaxed);
    task.depth.store(parent.depth.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    task.flags.set(flags_of_child(parent, flags));
    task.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
    task.generated.reset();
    task.priority.set(priority);
    task.group.set(parent.group.get());
    task.team.set(thread.member().team());
    task.node.set(std::ptr::null());
    task.children.set(std::ptr::null_mut());
    task.bytes.set(bytes as u32);
    // SAFETY: no other thread knows the new task yet, and the current task's ICVs are this thread's.
    unsafe { *task.icvs.get() = *thread.icvs() };
}

/// The [`flag`]s of a new child of the current task `parent`: those given, and those that it inherits.
#[inline(always)]
pub(super) fn flags_of_child(parent: &Task, flags: u32) -> u32 {
    const FINAL_TO_UNDEFERRED: u32 = flag::FINAL.trailing_zeros() - flag::UNDEFERRED.trailing_zeros();
    let inherited = parent.flags.get() & (flag::CANCELLABLE | flag::RECORDING | flag::FINAL);
    // A child of a final task is an included task, which is final and undeferred. Without a branch, because in a tree
    // whose tasks are final from some depth on, the branch would often go the other way.
    let included = (inherited & flag::FINAL) >> FINAL_TO_UNDEFERRED;
    flags | flag::EXPLICIT | inherited | included
}

#[cold]
fn prepare_for_tool(thread: &Thread, task: &Task) {
    task.tool.reset();
    task.recorded.store(false, Ordering::Relaxed);
    if ompt::in_callback(thread) {
        // A deferred task could run on another thread, which would report the task of a callback to the tools.
        task.change_flags(flag::UNDEFERRED, 0);
    }
}

/// Creates a second task like `pattern`, with these [`flag`]s as well. [`create`] has made `pattern`, which is not
/// launched. The payload is copied byte by byte; the body is not set.
pub fn create_like(thread: &Thread, pattern: &Task, flags: u32) -> &'static Task {
    let bytes = pattern.payload_bytes();
    let flags = flags | pattern.flags.get();
    let task = create(thread, bytes, flags, pattern.priority.get());
    // SAFETY: both payloads have that many bytes, and they are different ones.
    unsafe { std::ptr::copy_nonoverlapping(pattern.payload(), task.payload(), bytes) };
    task
}

/// What takes a task off the short way between its creation and its queue.
const UNUSUAL: u32 = flag::DETACHABLE | flag::IMPORTING | flag::RECORDING | flag::POOL;

/// Generates `task`, a child of the current task, at `call`. A deferred task is queued, or held by its predecessors.
/// An undeferred task runs before this returns.
#[inline]
pub fn launch(thread: &'static Thread, task: &'static Task, dependences: impl Dependences, call: impl Caller) {
    let member = thread.member();
    if member.team().nthreads() == 1 {
        defer_not(thread, task, dependences);
    }
    ompt::task_create(thread, task, dependences, call);
    let undeferred = task.has(flag::UNDEFERRED);
    if !undeferred {
        count(thread, member, task);
    }
    if task.has(UNUSUAL) {
        cold_path();
        introduce(thread, task, dependences);
    }
    if !dependences.is_empty() && depend::is_held(thread, task, dependences) {
        // The last predecessor's completion queues the task.
        if thread.task().generated.generated().is_multiple_of(LOOK_EVERY) {
            hold_back(thread, thread.task());
        }
    } else if undeferred {
        life::execute_for(thread, task, call);
    } else {
        life::queue_or_execute(thread, member, task);
    }
}

/// Makes a task of a team of one undeferred, if the task may start at once and ends with its code: no other thread
/// could execute the task meanwhile. A task that is recorded stays as the program has it.
#[inline(always)]
fn defer_not(thread: &Thread, task: &Task, dependences: impl Dependences) {
    const OWN_END: u32 =
        flag::DETACHABLE | flag::ASYNCHRONOUS | flag::TARGET | flag::DEVICE | flag::FINISHED | flag::RECORDING;
    if !task.has(OWN_END) && !task.is_deep(thread) && (dependences.is_empty() || are_over(thread.task())) {
        task.flags.set(task.flags.get() | flag::UNDEFERRED);
    }
}

/// Whether all tasks that the current task `parent` has generated with dependences are complete.
#[inline(always)]
fn are_over(parent: &Task) -> bool {
    parent.children.get().is_null() || parent.generated.are_complete() && table::forget_children(parent)
}

/// Counts a task for those that wait for it: the current task's taskwait, the taskgroup, and the team's barriers.
#[inline(always)]
fn count(thread: &Thread, member: &Member, task: &Task) {
    let parent = thread.task();
    if !std::ptr::eq(parent.executor.load(Ordering::Relaxed), thread) {
        parent.executor.store(std::ptr::from_ref(thread).cast_mut(), Ordering::Relaxed);
        thread.headers_for.set(std::ptr::null());
    }
    parent.generated.generate();
    if let Some(group) = task.taskgroup() {
        group.enter();
    }
    if member.tasks.mode.get() == Mode::Unknown {
        first_of_phase(member);
    }
    member.tasks.account.create();
}

/// The member generates its first deferred task since it was last without work.
#[cold]
fn first_of_phase(member: &Member) {
    let team = member.team();
    schedule::begin(member);
    if !team.has_tasks() {
        // The barrier that the member has passed needs no look at tasks, even if others are still there. A thread alone
        // notes nothing: the initial team of a league has epochs ahead of those that its later regions begin with.
        if team.nthreads() > 1 {
            team.tasks.sums.end(member.epoch.get());
        }
        team.signal.go.announce_tasks(&team.idle, team.signal_copies(team.nthreads()).map(|copy| &copy.go));
    }
}

/// Does what only a few tasks need before they may be held or start.
///
/// An undeferred task with an event is counted like a deferred one, since the event may outlast the task's code. A
/// tool's task in a callback is not: what waits for the task may lie behind the callback.
#[cold]
fn introduce(thread: &Thread, task: &Task, dependences: impl Dependences) {
    let parent = thread.task();
    let mut counted = !task.has(flag::UNDEFERRED);
    if !counted && task.has(flag::DETACHABLE) && !(switch::active() && ompt::in_callback(thread)) {
        task.change_flags(flag::COUNTED, 0);
        count(thread, thread.member(), task);
        counted = true;
    }
    table::hand_on(parent, task);
    recording::note(parent, task, dependences, counted);
    if task.has(flag::POOL) && offers::admit(thread.member().team(), task) {
        agents::begin();
    }
}

/// How many children with dependences a task generates between two looks at how many are incomplete. Other threads
/// write that count, so that each look takes a cache line from them.
const LOOK_EVERY: u64 = 64;

/// How long a producer with too many incomplete children waits for one of them to get on.
const PATIENCE: Duration = Duration::from_secs(1);
/// The same while an event is open, which the producer may be about to fulfil.
const PATIENCE_WITH_EVENTS: Duration = Duration::from_millis(10);

/// Holds the current task `parent` back, which has generated a task that waits for its predecessors.
///
/// With too many incomplete children `parent` executes those that are ready, or waits for others to get on. A loop that
/// creates a million such tasks would otherwise need their memory all at once. The children may wait for what the
/// producer does next, such as an event that it fulfils. So the bound is raised if nothing gets on.
#[cold]
fn hold_back(thread: &'static Thread, parent: &Task) {
    let threads = u64::from(thread.member().team().nthreads());
    let lost = table(parent).map_or(0, |table| table.patience_lost);
    // Enough for chains of some length on each thread, and at first at most some 32 MiB.
    let bound = (threads * 1024).clamp(4096, 65536) << lost.min(20);
    if parent.generated.incomplete() <= bound || !icv::settings().task_throttling {
        return;
    }
    let enough = bound - bound / 8;
    let patience = if life::is_any_open() { PATIENCE_WITH_EVENTS } else { PATIENCE };
    let ready = || parent.generated.incomplete() <= enough;
    if !wait::until_stuck(thread, patience, ready, || parent.generated.incomplete())
        && let Some(table) = table(parent)
    {
        table.patience_lost += 1;
    }
}

/// Generates `task`, a child of the current task, in the replay of a graph, as [`launch`] does otherwise. `enter`
/// enters the task behind its predecessors, and returns whether they hold the task. `dependences` are for tools alone.
pub(super) fn launch_after(
    thread: &'static Thread,
    task: &'static Task,
    dependences: &[Dependence],
    enter: impl FnOnce() -> bool,
    call: impl Caller,
) {
    let member = thread.member();
    ompt::task_create(thread, task, dependences, call);
    if task.has(flag::UNDEFERRED) {
        // The parent is final, so all tasks of the graph are included tasks and run one after the other.
        return life::execute_for(thread, task, call);
    }
    count(thread, member, task);
    if task.has(flag::POOL) && offers::admit(thread.member().team(), task) {
        agents::begin();
    }
    if !enter() {
        life::queue_or_execute(thread, member, task);
    }
}

/// The current task encounters an undeferred task whose code the program itself runs next (kmpc only).
/// [`complete_undeferred`] ends the task.
pub fn begin_undeferred(thread: &'static Thread, task: &'static Task, call: impl Caller) {
    task.flags.set(task.flags.get() | flag::UNDEFERRED);
    let outer = thread.task();
    ompt::program_calls_task(outer, task, call);
    if task.has(UNUSUAL) {
        cold_path();
        introduce(thread, task, ());
        let prepared = table(outer).map_or(Vec::new(), |table| std::mem::take(&mut table.prepared));
        ompt::task_create(thread, task, prepared.as_slice(), call);
    } else {
        ompt::task_create(thread, task, (), call);
    }
    if call.for_active_tool().is_some() {
        ompt::task_switch(thread, outer, task);
    }
    thread.set_task(task);
    if call.for_active_tool().is_some() {
        ompt::task_code_begins();
    }
}

/// The program has run the code of `task`, which [`begin_undeferred`] began, or which began in place and has done more
/// than its header shows.
#[inline(never)]
pub fn complete_undeferred(thread: &'static Thread, task: &'static Task, call: impl Caller) {
    let outer = task.parent().expect("an explicit task has a parent");
    if call.for_active_tool().is_some() {
        ompt::program_ran(outer, call);
        ompt::program_called_part(task);
    }
    // The program ran the first part of the task. Few tasks have another part, and the others need no call.
    if task.has(flag::AGAIN | flag::ASYNCHRONOUS) {
        life::run_other_parts(thread, task);
    }
    if call.for_active_tool().is_some() {
        life::end::<true>(thread, outer, task);
        ompt::program_called_task(outer);
    } else {
        life::end::<false>(thread, outer, task);
    }
}

/// The current part of an untied task ends, and another part is to follow (kmpc only). When the part returns, the task
/// goes back to the queue, or continues `at_once`. Returns false if `task` is not the current task; then the caller
/// launches the task.
#[inline(always)]
pub fn part_again(thread: &Thread, task: &Task, at_once: bool) -> bool {
    if !std::ptr::eq(thread.task(), task) {
        return false;
    }
    task.flags.set(task.flags.get() | flag::AGAIN | if at_once { flag::AT_ONCE } else { 0 });
    true
}

/// A taskwait with a `depend` clause: waits until a task with these dependences could start, as if the current task
/// waited for an empty task (OpenMP 5.1 §2.19.5).
pub fn taskwait_depend(thread: &'static Thread, dependences: impl Dependences, call: impl Caller) {
    if dependences.is_empty() {
        return;
    }
    let task = create(thread, 0, flag::TASKWAIT | flag::UNDEFERRED | flag::MERGEABLE, 0);
    if task.has(flag::RECORDING) {
        recording::note_wait(thread.task());
    }
    ompt::task_create(thread, task, dependences, call);
    match detach::prepared(thread) {
        // The first half of an undeferred task (kmpc only): later siblings wait for its event.
        Some(prepared) if !switch::active() || !ompt::in_callback(thread) => {
            prepared.change_flags(flag::UNDEFERRED, 0);
            depend::register_undeferred(thread, prepared, task, dependences);
            if switch::active()
                && let Some(table) = table(thread.task())
            {
                // Kept until a tool hears of the task.
                table.prepared = dependences.iter().collect();
            }
        }
        _ => depend::wait_for_dependences(thread, task, dependences),
    }
    ompt::taskwait_complete(thread, task);
    thread.tasks.give(task);
}

/// A taskwait with a `depend` clause and `nowait`. An empty deferred task stands for the construct, and is complete as
/// soon as it could start.
pub fn taskwait_depend_nowait(thread: &'static Thread, dependences: impl Dependences, call: impl Caller) {
    if !dependences.is_empty() {
        let task = create(thread, 0, flag::TASKWAIT | flag::MERGEABLE | flag::FINISHED, 0);
        launch(thread, task, dependences, call);
    }
}
