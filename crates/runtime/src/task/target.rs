//! Target tasks whose construct a device executes (OpenMP 5.1 §2.14.5, §2.12.1): their code begins operations on the
//! device and returns, and they are complete when those are. And those that only tools see: of constructs that the
//! runtime executes at once ([`Included`]).
//!
//! Who executes what:
//!
//! 1. A target task that waits for nothing begins in its generating task's place, since its code is short. One that has
//!    predecessors is begun by the helper thread (`helper.rs`) when the last of them is complete, wherever the
//!    team's threads are.
//! 2. Its construct maps, queues operations and leaves the task ([`leave`]). What is left is done when they are
//!    complete, as a part of the task: by the helper, or by the thread that began the task, if that is not out of the
//!    task's code yet. One atomic decides (`event.rs`), as it does for a task with a `detach` clause.
//! 3. The helper is no member of the team that the task belongs to. So it lets the task's successors go, and hands the
//!    task to the team as one that only needs to be counted.

use super::{create, depend, schedule};
use crate::objects::body::Body;
use crate::objects::call::{Call, Caller};
use crate::objects::current;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::task::flag;
use crate::ompt;
use crate::protocol::detach::Fulfilment;
use crate::task::helper;
use std::ffi::c_void;
use std::sync::atomic::Ordering;

/// What is left of a target task when its operations on the device are complete. Called on the thread given, whose
/// current task it is.
pub type Rest = Box<dyn FnOnce(&'static Thread) + Send>;

/// How many bytes behind the program's own data the payload of such a task needs.
pub const BEHIND: usize = size_of::<*mut Rest>();

/// A device is to execute the construct of `task`, whose payload ends with an aligned word for this. Before the task is
/// launched.
pub fn for_device(task: &Task) {
    task.change_flags(flag::DEVICE, flag::ASYNCHRONOUS);
    // SAFETY: the payload ends with that word, and the task is nobody else's.
    unsafe { *rest(task) = std::ptr::null_mut() };
}

/// Where the rest of the task is kept, null for none.
fn rest(task: &Task) -> *mut *mut Rest {
    // SAFETY: as `for_device` says.
    unsafe { task.payload().add(task.payload_bytes()).sub(BEHIND).cast() }
}

/// The current task, if its construct may leave it while operations on the device are under way: a target task that
/// nobody waits for where it is generated.
pub fn may_be_left(thread: &Thread) -> Option<&'static Task> {
    let task = thread.task();
    // SAFETY: the word of the current task.
    (task.has(flag::DEVICE) && !task.has(flag::UNDEFERRED) && unsafe { (*rest(task)).is_null() }).then_some(task)
}

/// The construct of `task`, from [`may_be_left`], leaves it: `what` is done when its operations are complete. Whoever
/// finds that they are calls what is returned, on the helper thread.
pub fn leave(task: &'static Task, what: Rest) -> helper::Job {
    let number = task.event.arm();
    // SAFETY: the word of the current task.
    unsafe { *rest(task) = Box::into_raw(Box::new(what)) };
    helper::expect();
    Box::new(move || {
        operations_are_complete(task, number);
        helper::has_come();
    })
}

fn operations_are_complete(task: &'static Task, number: u16) {
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

/// Does what the construct of `task`, the current one, has left.
fn do_rest(thread: &'static Thread, task: &Task) {
    // SAFETY: made by `leave`, and taken by the one of two sides that comes second.
    let rest = unsafe { Box::from_raw(std::ptr::replace(rest(task), std::ptr::null_mut())) };
    rest(thread);
}

/// The code of `task` has returned, and `outer` goes on. As `detach::body_returned`.
#[cold]
pub(super) fn body_returned(thread: &'static Thread, outer: &Task, task: &'static Task) -> bool {
    // SAFETY: the word of the current task.
    if unsafe { !(*rest(task)).is_null() } {
        if !task.event.body_returns() {
            ompt::task_suspend(thread, task, outer);
            // Children that complete from here on must not take the task for theirs.
            task.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
            task.event.let_go();
            return false;
        }
        do_rest(thread, task);
    }
    if task.team().is_none_or(|team| std::ptr::eq(team, thread.member().team())) {
        return true;
    }
    complete_elsewhere(thread, outer, task);
    false
}

/// The current task `task` is complete, on a thread that is no member of its team; `outer` goes on.
pub(super) fn complete_elsewhere(thread: &Thread, outer: &Task, task: &Task) {
    let Some(team) = task.team() else { return };
    ompt::task_complete(thread, task, outer);
    thread.set_task(outer);
    task.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
    if !task.node.get().is_null() {
        depend::release_successors_from_outside(task, team);
    }
    task.change_flags(flag::FINISHED, 0);
    team.tasks.queue.put(task);
    create::wake_all(team);
}

/// Generates `task`, which is counted and has no predecessor left: begins it in the place of the generating task.
#[cold]
pub(super) fn begin(thread: &'static Thread, task: &'static Task) {
    schedule::resume(thread, task);
}

/// The predecessors of `task` are complete: the helper begins it.
#[cold]
pub(super) fn begin_elsewhere(task: &'static Task) {
    helper::execute(task);
}

/// Executes a target task on the helper thread.
pub fn execute(thread: &'static Thread, task: &'static Task) {
    schedule::execute_from_outside(thread, task);
}

/// The target task of a construct that the runtime executes at once, in the place of the task that encountered the
/// construct: an undeferred one (§2.14.5). While this lives, that task is the current one. There is such a task only
/// where somebody wants to know of tasks, and none where a target task executes the construct already.
pub struct Included {
    begun: Option<Begun>,
}

struct Begun {
    thread: &'static Thread,
    outer: &'static Task,
    task: &'static Task,
    codeptr: *const c_void,
    /// Ends after the task.
    _inside: ompt::TaskInside<'static>,
}

impl Included {
    /// The current task of `thread` has encountered the construct at `call`, and has entered the runtime.
    #[inline(always)]
    pub fn new(thread: &'static Thread, call: Call) -> Self {
        let begun = match call.told() {
            Some(call) => begin_included(thread, call),
            None => None,
        };
        Included { begun }
    }

    /// Where the construct is: `call` itself may be asked for it only in the task that encountered the construct.
    #[inline(always)]
    pub fn call(&self, call: Call) -> Call {
        self.begun.as_ref().map_or(call, |begun| Call::at(begun.codeptr))
    }
}

#[cold]
fn begin_included(thread: &'static Thread, call: Call) -> Option<Begun> {
    let outer = thread.task();
    if outer.has(flag::TARGET) || ompt::in_callback(thread) {
        return None;
    }
    let codeptr = call.codeptr();
    let task = create::create(thread, 0, flag::TARGET | flag::UNDEFERRED, 0);
    task.set_body(Body::NOTHING);
    ompt::task_create(thread, task, (), call);
    let inside = ompt::TaskInside::new(thread, task);
    ompt::task_switch(thread, outer, task);
    thread.set_task(task);
    ompt::task_code_begins();
    Some(Begun { thread, outer, task, codeptr, _inside: inside })
}

impl Drop for Begun {
    #[cold]
    fn drop(&mut self) {
        schedule::end::<true>(self.thread, self.outer, self.task);
    }
}
