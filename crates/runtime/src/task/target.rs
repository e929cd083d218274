//! Target tasks whose construct a device executes (OpenMP 5.1 §2.14.5, §2.12.1). Their code begins operations on the
//! device and returns, and the tasks are complete when the operations are. [`Included`] has the target tasks that only
//! tools see, of constructs that the runtime executes at once.
//!
//! Which thread executes what:
//!
//! 1. A target task that waits for nothing begins in its generating task's place, since its code is short. If it has
//!    predecessors, the helper thread (`helper.rs`) begins it when the last of them is complete.
//! 2. The construct maps, queues operations and leaves the task ([`leave`]). The rest is done when the operations are
//!    complete, as a part of the task: by the helper, or by the thread that began the task, if that thread is still in
//!    the task's code. One atomic decides (`protocol/detach.rs`), as for a task with a `detach` clause.
//! 3. The helper is no member of the team that the task belongs to. So it lets the task's successors go, and hands the
//!    task to the team, which only has to count it.

use super::create::create;
use super::helper;
use super::life::{self, rest};
use crate::objects::body::Body;
use crate::objects::call::{Call, Caller};
use crate::objects::structures::{Task, Thread};
use crate::objects::task::flag;
use crate::ompt;
use std::ffi::c_void;

pub use super::life::{BEHIND, Rest};

/// Notes that a device is to execute the construct of `task`, whose payload has [`BEHIND`] bytes for this behind the
/// program's data. Before the task is launched.
pub fn for_device(task: &Task) {
    task.change_flags(flag::DEVICE, flag::ASYNCHRONOUS);
    // SAFETY: the payload ends with that word, and no other thread knows the task yet.
    unsafe { *rest(task) = std::ptr::null_mut() };
}

/// The current task, if its construct may leave it while operations on the device are under way: a target task that no
/// task waits for where it is generated.
pub fn may_be_left(thread: &Thread) -> Option<&'static Task> {
    let task = thread.task();
    // SAFETY: the word of the current task.
    (task.has(flag::DEVICE) && !task.has(flag::UNDEFERRED) && unsafe { (*rest(task)).is_null() }).then_some(task)
}

/// The construct of `task`, from [`may_be_left`], leaves the task: `what` is done when its operations are complete. The
/// thread that finds them complete posts the job that is returned to the helper.
pub fn leave(task: &'static Task, what: Rest) -> helper::Job {
    let number = task.event.arm();
    // SAFETY: the word of the current task.
    unsafe { *rest(task) = Box::into_raw(Box::new(what)) };
    helper::INBOX.expect();
    Box::new(move || {
        life::operations_are_complete(task, number);
        helper::INBOX.has_come();
    })
}

/// The target task of a construct that the runtime executes at once, in the place of the encountering task: an
/// undeferred task (§2.14.5). While this lives, that task is the current one.
///
/// There is such a task only for tools, and only where no target task executes the construct already.
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
    /// Begins the target task: the current task of `thread` has encountered the construct at `call`, and has entered
    /// the runtime.
    #[inline(always)]
    pub fn new(thread: &'static Thread, call: Call) -> Self {
        Included { begun: call.for_active_tool().and_then(|call| begin_included(thread, call)) }
    }

    /// Where the construct is. `call` itself says so only in the encountering task.
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
    let task = create(thread, 0, flag::TARGET | flag::UNDEFERRED, 0);
    task.body.set(Body::default());
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
