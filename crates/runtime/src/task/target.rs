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

use super::life;
use super::rest::rest;
use crate::objects::body::Body;
use crate::objects::call::Call;
use crate::objects::call::Caller;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::task::flag;
use crate::ompt;
use crate::task::helper;
use std::ffi::c_void;

pub use super::rest::{BEHIND, Rest, for_device, may_be_left};

/// The construct of `task`, from [`may_be_left`], leaves it: `what` is done when its operations are complete. Whoever
/// finds that they are calls what is returned, on the helper thread.
pub fn leave(task: &'static Task, what: Rest) -> helper::Job {
    let number = task.event.arm();
    // SAFETY: the word of the current task.
    unsafe { *rest(task) = Box::into_raw(Box::new(what)) };
    helper::expect();
    Box::new(move || {
        life::operations_are_complete(task, number);
        helper::has_come();
    })
}

/// Executes a target task on the helper thread.
pub fn execute(thread: &'static Thread, task: &'static Task) {
    life::execute_from_outside(thread, task, |_, _| ());
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
        let begun = match call.for_active_tool() {
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
    let task = life::create(thread, 0, flag::TARGET | flag::UNDEFERRED, 0);
    task.set_body(Body::default());
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
        life::end::<true>(self.thread, self.outer, self.task);
    }
}
