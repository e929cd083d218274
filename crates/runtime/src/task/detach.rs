//! Tasks that complete when an event is fulfilled (OpenMP 5.1 §2.12.1 `detach`, §3.5.1
//! `omp_fulfill_event`). One atomic per task decides who came last, the body or the event; the last
//! one completes the task.

use super::{Task, flag, wait};
use crate::ompt;
use crate::thread::Thread;
use std::sync::atomic::{AtomicU8, Ordering};

/// The body has returned.
const RETURNED: u8 = 1;
/// The event's fulfilment has begun while the body ran.
const EARLY: u8 = 2;
/// The event is fulfilled.
const FULFILLED: u8 = 4;

/// Makes `task` one that completes only when its event is fulfilled, before it is launched or while
/// its generating task still prepares it. The event's handle is the task.
pub fn completion_event(task: &Task) -> *const Task {
    task.change_flags(flag::DETACHABLE, 0);
    task
}

/// The body of the detachable `task` has returned, and `outer` goes on. Returns whether the task is
/// complete; if not, it completes when its event is fulfilled, and is not this thread's any more.
#[cold]
pub(super) fn body_returned(thread: &'static Thread, outer: &Task, task: &'static Task) -> bool {
    let event = &task.event;
    if event.load(Ordering::Acquire) & FULFILLED != 0 {
        return true;
    }
    if task.has(flag::UNDEFERRED) {
        // Its generating task must not go on before.
        thread.set_task(outer);
        ompt::task_detach(task, outer);
        wait::until(thread, || event.load(Ordering::Acquire) & FULFILLED != 0);
        super::schedule::complete(thread, task);
        return false;
    }
    // Told before the change: afterwards the task may be completed by others.
    let early = event.load(Ordering::Relaxed) & EARLY != 0;
    if early {
        ompt::task_complete(task, outer);
    } else {
        ompt::task_detach(task, outer);
    }
    task.flags.set(task.flags.get() | flag::FINISHED);
    // AcqRel: whoever comes second sees what the first one did.
    if event.fetch_or(RETURNED, Ordering::AcqRel) & FULFILLED != 0 {
        super::schedule::complete(thread, task);
    }
    false
}

/// Fulfils the event of `task` (`omp_fulfill_event`). Any thread, once a task.
///
/// # Safety
/// `task` is a handle from [`completion_event`] whose event has not been fulfilled.
pub unsafe fn fulfill(task: *const Task) {
    // SAFETY: a task whose event is not fulfilled is not complete.
    let task = unsafe { &*task };
    let team = task.team().expect("an explicit task has a team");
    let event: &AtomicU8 = &task.event;
    let before = event.fetch_or(EARLY, Ordering::AcqRel);
    if before & RETURNED != 0 {
        ompt::task_fulfill(task, true);
        finish(task, team);
        return;
    }
    ompt::task_fulfill(task, false);
    let before = event.fetch_or(FULFILLED, Ordering::AcqRel);
    if before & RETURNED != 0 {
        // It returned meanwhile.
        finish(task, team);
    } else {
        // The generating task of an undeferred one waits for it.
        team.barrier.event.notify_all();
    }
}

/// Hands a task whose body has returned to the members of its team: one of them completes it, so that
/// it is counted where barriers look.
fn finish(task: &Task, team: &crate::team::Team) {
    team.tasks.queue.put(task);
    team.barrier.event.notify_all();
}
