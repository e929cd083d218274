//! Generating tasks (OpenMP 5.1 §2.12.1): deferred ones are counted and queued, undeferred and included ones run in
//! place and touch nothing that other threads see. So do those of a team of one thread, where nothing is in their way.

use super::agents;
use super::depend;
use super::detach;
use super::life;
use super::life::count;
use super::life::create;
use super::recording;
use super::transparent;
use super::wait;
use crate::icv;
use crate::model::atomic::Ordering;
use crate::objects::body::Mode;
use crate::objects::call::Caller;
use crate::objects::dependence::Dependence;
use crate::objects::dependence::Dependences;
use crate::objects::structures::Member;
use crate::objects::structures::Table;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::switch;
use crate::objects::task::flag;
use crate::ompt;
use ::ompt::State;
use std::hint::cold_path;
use std::time::Duration;

/// A second task like `pattern`, which was made by [`create`] and is not launched, with these [`flag`]s as well; the
/// payload is copied byte by byte, the body is not set.
pub fn create_like(thread: &Thread, pattern: &Task, flags: u32) -> &'static Task {
    let bytes = pattern.payload_bytes();
    let flags = flags | pattern.flags.get() & !flag::PARITY;
    let task = create(thread, bytes, flags, pattern.priority.get());
    // SAFETY: both payloads have that many bytes, and they are different ones.
    unsafe { std::ptr::copy_nonoverlapping(pattern.payload(), task.payload(), bytes) };
    task
}

/// Gives back a task that was created but will not be generated.
pub fn unlaunched(thread: &Thread, task: &Task) {
    thread.tasks.give(task);
}

/// Generates `task`, a child of the current task, at `call`: queues it if it is deferred, else runs
/// it before returning.
#[inline]
pub fn launch(thread: &'static Thread, task: &'static Task, dependences: impl Dependences, call: impl Caller) {
    if thread.member().team().nthreads() == 1 {
        defer_not(thread, task, dependences);
    }
    ompt::task_create(thread, task, dependences, call);
    if task.has(flag::UNDEFERRED) {
        run_undeferred(thread, task, dependences, call);
    } else {
        defer(thread, task, dependences);
    }
}

/// How deep tasks of a team of one may lie in each other. A task that is deferred runs on less stack where a chain of
/// tasks generate one another.
const DEEP: u32 = 128;

/// The task of a team of one becomes an undeferred one if it may start at once, and is over with its code: nobody else
/// could execute it meanwhile. One that is recorded stays as the program has it.
#[inline(always)]
fn defer_not(thread: &Thread, task: &Task, dependences: impl Dependences) {
    const OWN_END: u32 =
        flag::DETACHABLE | flag::ASYNCHRONOUS | flag::TARGET | flag::DEVICE | flag::FINISHED | flag::RECORDING;
    if !task.has(OWN_END) && !is_deep(thread.member(), task) && (dependences.is_empty() || are_over(thread.task())) {
        task.flags.set(task.flags.get() | flag::UNDEFERRED);
    }
}

/// Whether the task, of a team of one, lies too deep to run where it is generated.
#[inline(always)]
fn is_deep(member: &Member, task: &Task) -> bool {
    task.depth.load(Ordering::Relaxed) > DEEP && member.team().region.level.get() > 0
}

/// Whether all tasks that the current task `parent` has generated with dependences are complete.
#[inline(always)]
fn are_over(parent: &Task) -> bool {
    parent.children.get().is_null() || parent.generated.are_complete() && transparent::forget_children(parent)
}

/// Counts the task and queues it, or runs it where it has to be.
#[inline(always)]
fn defer(thread: &'static Thread, task: &'static Task, dependences: impl Dependences) {
    let member = thread.member();
    let parent = thread.task();
    count(thread, member, parent, task);
    if !dependences.is_empty() && register(parent, task, dependences) {
        // A predecessor's completion will queue it.
        if parent.generated.generated().is_multiple_of(LOOK_EVERY) {
            hold_back(thread, parent);
        }
        return;
    }
    let mode = member.tasks.mode.get();
    if task.has(flag::DEVICE | flag::IMPORTING | flag::RECORDING | flag::POOL) && defer_unusual(thread, task) {
        // That was all.
    } else if mode == Mode::Outside || mode == Mode::Alone && !is_deep(member, task) {
        life::resume(thread, task);
    } else if member.tasks.deque.holds(ENOUGH, false) && is_ahead(member) {
        member.tasks.nested.set(true);
        life::resume(thread, task);
        member.tasks.nested.set(false);
    } else {
        life::publish(thread, task);
    }
}

/// As `defer`, for a counted task that waits for nothing and is not like others. Returns false if it goes their way
/// from here on.
#[cold]
fn defer_unusual(thread: &'static Thread, task: &'static Task) -> bool {
    if task.node.get().is_null() {
        // What has dependences has been through this before it was entered among its siblings: it must not import
        // itself.
        transparent::import(thread.task(), task);
        recording::note(thread.task(), task, (), true);
    }
    if task.has(flag::DEVICE) {
        // In the place of its generating task: its code is short.
        life::resume(thread, task);
        return true;
    }
    task.has(flag::POOL) && !thread.member().tasks.deque.holds(ENOUGH, false) && offer(thread, task)
}

/// How many tasks of one member may wait before it executes some itself: enough to keep the others
/// busy, few enough to stay in the cache. Without this a loop that creates a million tasks would
/// need their memory all at once.
const ENOUGH: usize = 256;

/// Every how many children a task that generates some with dependences looks how many are incomplete: the count is
/// other threads' to write.
const LOOK_EVERY: u64 = 64;

/// How long a producer with too many incomplete children waits for one of them to get on.
const PATIENCE: Duration = Duration::from_secs(1);
/// The same while an event is open, which the producer may be about to fulfil.
const PATIENCE_WITH_EVENTS: Duration = Duration::from_millis(10);

/// The current task, `parent`, has generated a task that waits for its predecessors. Where too many of its children are
/// incomplete it executes those that are ready, or waits for others to get on, before it generates more: a loop that
/// creates a million such tasks would need their memory all at once. The children may wait for what the producer does
/// next, as an event that it fulfils; so where nothing gets on the bound is raised.
#[cold]
fn hold_back(thread: &'static Thread, parent: &Task) {
    let threads = u64::from(thread.member().team().nthreads());
    // Enough for chains of some length on each thread, and at most some 32 MiB.
    let bound = (threads * 1024).clamp(4096, 65536) << depend::patience_lost(parent);
    if parent.generated.incomplete() <= bound || !icv::settings().task_throttling {
        return;
    }
    let enough = bound - bound / 8;
    let patience = if life::is_any_open() { PATIENCE_WITH_EVENTS } else { PATIENCE };
    let ready = || parent.generated.incomplete() <= enough;
    if !wait::until_stuck(thread, patience, ready, || parent.generated.incomplete()) {
        depend::lose_patience(parent);
    }
}

/// Whether the member, whose queue was full when it last looked, executes the task that it has just
/// created, as it may at this scheduling point. Not inside a task that it executes so: that would
/// nest without bound.
#[cold]
fn is_ahead(member: &Member) -> bool {
    let tasks = &member.tasks;
    if tasks.nested.get() {
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

/// Runs an undeferred task to its end.
#[inline]
fn run_undeferred(thread: &'static Thread, task: &'static Task, dependences: impl Dependences, call: impl Caller) {
    if task.has(flag::DETACHABLE | flag::IMPORTING | flag::RECORDING) {
        cold_path();
        count_undeferred(thread, task, dependences);
    } else {
        wait_for_dependences(thread, task, dependences);
    }
    life::execute_for(thread, task, call);
}

/// Counts an undeferred task with an event as a deferred one, since its event may outlast its code, and enters its
/// dependences for those who come later. Returns when the task may start. A tool's task in a callback is in no count:
/// what waits for it may lie behind the callback.
#[cold]
fn count_undeferred(thread: &'static Thread, task: &'static Task, dependences: impl Dependences) {
    transparent::import(thread.task(), task);
    recording::note(thread.task(), task, dependences, false);
    if !task.has(flag::DETACHABLE) {
        return wait_for_dependences(thread, task, dependences);
    }
    if switch::active() && ompt::in_callback(thread) {
        return;
    }
    task.change_flags(flag::COUNTED, 0);
    count(thread, thread.member(), thread.task(), task);
    if !dependences.is_empty() {
        register_undeferred(thread, task, task, dependences);
    }
}

/// Generates `task`, a child of the current task, in the replay of a graph: as [`launch`], but `enter` enters it behind
/// its predecessors, if it has something to do with others, and says whether it has to wait. `dependences` are told to
/// tools alone.
pub(super) fn launch_after(
    thread: &'static Thread,
    task: &'static Task,
    dependences: &[Dependence],
    enter: Option<impl FnOnce() -> bool>,
    call: impl Caller,
) {
    let member = thread.member();
    ompt::task_create(thread, task, dependences, call);
    if task.has(flag::UNDEFERRED) {
        // Of a final task, as all its siblings are: they run one after the other.
        return life::execute_for(thread, task, call);
    }
    count(thread, member, thread.task(), task);
    if enter.is_some_and(|enter| enter()) {
        // A predecessor's completion will queue it.
        return;
    }
    if member.team().nthreads() == 1 {
        life::resume(thread, task);
    } else {
        life::publish(thread, task);
    }
}

/// The current task encounters an undeferred task whose code the program itself runs next
/// (kmpc only). Ended by [`complete_undeferred`].
pub fn begin_undeferred(thread: &'static Thread, task: &'static Task, call: impl Caller) {
    task.flags.set(task.flags.get() | flag::UNDEFERRED);
    let outer = thread.task();
    ompt::program_calls_task(outer, task, call);
    if task.has(flag::DETACHABLE | flag::IMPORTING | flag::RECORDING) {
        cold_path();
        count_undeferred(thread, task, ());
        ompt::task_create(thread, task, depend::take_prepared(outer).as_slice(), call);
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

/// The program has run the code of `task`, which [`begin_undeferred`] began.
pub fn complete_undeferred(thread: &'static Thread, task: &'static Task, call: impl Caller) {
    let outer = task.parent().expect("an explicit task has a parent");
    if call.for_active_tool().is_some() {
        ompt::program_ran(outer, call);
        ompt::program_called_part(task);
    }
    while life::wants_more(task) {
        // The program ran the first part; the others are left.
        task.flags.set(task.flags.get() & !flag::AGAIN);
        life::run_body(thread, task);
    }
    if call.for_active_tool().is_some() {
        life::end::<true>(thread, outer, task);
        ompt::program_called_task(outer);
    } else {
        life::end::<false>(thread, outer, task);
    }
}

/// The current part of an untied task ends, and another part is to follow: the task goes back to the
/// queue when the part returns (kmpc only). Returns false if `task` is not the current task, so that
/// it is to be launched instead.
#[inline(always)]
pub fn part_again(thread: &Thread, task: &Task) -> bool {
    if !std::ptr::eq(thread.task(), task) {
        return false;
    }
    task.flags.set(task.flags.get() | flag::AGAIN);
    true
}

/// Waits until a task with these dependences could start, as a taskwait with a `depend` clause does:
/// like an empty task that the current one waits for (OpenMP 5.1 §2.19.5).
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
            register_undeferred(thread, prepared, task, dependences);
            if switch::active() {
                depend::note_prepared(thread.task(), dependences);
            }
        }
        _ => wait_for_dependences(thread, task, dependences),
    }
    ompt::taskwait_complete(thread, task);
    unlaunched(thread, task);
}

/// A taskwait with a `depend` clause and `nowait`: an empty deferred task takes its place, which is complete as soon as
/// it could start.
pub fn taskwait_depend_nowait(thread: &'static Thread, dependences: impl Dependences, call: impl Caller) {
    if !dependences.is_empty() {
        let task = create(thread, 0, flag::TASKWAIT | flag::MERGEABLE | flag::FINISHED, 0);
        launch(thread, task, dependences, call);
    }
}

/// Puts `task`, a counted child of the current task `parent`, in the order that its dependences
/// ask for. Returns whether it has to wait; then a predecessor's completion queues it.
#[cold]
fn register(parent: &Task, task: &Task, dependences: impl Dependences) -> bool {
    transparent::import(parent, task);
    recording::note(parent, task, dependences, true);
    if task.has(flag::POOL)
        && let Some(team) = task.team()
    {
        agents::begin(team, task);
    }
    let node = depend::enter(parent, task, task, dependences);
    // The caller publishes the task itself, if nothing is in its way.
    !node.registered()
}

/// As [`register`], for an undeferred task, which the calling thread executes itself: returns when the task may start.
/// Tools are told that `sink` waits: the task, or what stands for the wait that it begins with.
#[cold]
fn register_undeferred(thread: &'static Thread, task: &Task, sink: &Task, dependences: impl Dependences) {
    let node = depend::enter(thread.task(), task, sink, dependences);
    if !node.registered() {
        let _state = sink.has(flag::TASKWAIT).then(|| ompt::InState::new(thread, State::WAIT_TASKWAIT, 0));
        wait::until(thread, State::WAIT_TASKWAIT, || node.may_start());
    }
}

/// Waits until `task`, an undeferred one or one that stands for a taskwait construct, could start with these
/// dependences. A tool's task in a callback waits for none: the callback may be what holds up the task that it would
/// wait for.
#[inline(always)]
fn wait_for_dependences(thread: &'static Thread, task: &Task, dependences: impl Dependences) {
    if dependences.is_empty() || switch::active() && ompt::in_callback(thread) {
        return;
    }
    if let Some(table) = depend::table(thread.task()) {
        wait_in(thread, table, task, dependences.iter().collect());
    }
}

/// As [`wait_for_dependences`], on the siblings that the current task's `table` knows.
#[cold]
fn wait_in(thread: &'static Thread, table: &Table, task: &Task, dependences: Vec<Dependence>) {
    let node = depend::enter_wait(table, task, dependences);
    if !node.wait_registered() {
        let _state = task.has(flag::TASKWAIT).then(|| ompt::InState::new(thread, State::WAIT_TASKWAIT, 0));
        wait::until(thread, State::WAIT_TASKWAIT, || node.waits_for_nothing());
    }
}

/// Offers a task to free agents, which begin with the first such task. Returns false if the task goes the ordinary way.
#[cold]
fn offer(thread: &'static Thread, task: &'static Task) -> bool {
    agents::begin(thread.member().team(), task);
    life::offer(thread, task)
}
