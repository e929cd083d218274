//! Tasks that complete when an event is fulfilled (OpenMP 5.1 §2.12.1 `detach`, §3.5.1
//! `omp_fulfill_event`).
//!
//! One atomic a task decides who came first, the end of the body or the event; the one that came
//! second completes the task. Either may have to tell the tool before the other goes on, so each
//! announces itself (`RETURNING`, `FULFILLING`), tells, and confirms (`RETURNED`, `FULFILLED`).

use super::{Task, create, flag, schedule, wait};
use crate::ompt;
use crate::team::Team;
use crate::thread::Thread;
use std::sync::atomic::{AtomicU8, Ordering};

/// The task has an event.
const ARMED: u8 = 16;
/// The body has returned first, or second.
const RETURNING: u8 = 1;
/// The body has returned, and the executing thread has let the task go.
const RETURNED: u8 = 2;
/// The event is fulfilled, first or second.
const FULFILLING: u8 = 4;
/// The event is fulfilled, and the fulfilling thread has let the task go.
const FULFILLED: u8 = 8;

/// Makes `task` one that completes only when its event is fulfilled, before it is launched or while
/// its generating task still prepares it. The event's handle is the task.
pub fn completion_event(task: &Task) -> *const Task {
    task.change_flags(flag::DETACHABLE, 0);
    // Relaxed: whoever gets the handle gets it behind this.
    task.event.store(ARMED, Ordering::Relaxed);
    task
}

/// The body of the detachable `task` has returned, and `outer` goes on. Returns whether the task is
/// complete; if not, it completes when its event is fulfilled, and is not this thread's any more.
#[cold]
pub(super) fn body_returned(thread: &'static Thread, outer: &Task, task: &'static Task) -> bool {
    let event = &task.event;
    // AcqRel, here and below: whoever comes second sees what the first one did.
    if event.fetch_or(RETURNING, Ordering::AcqRel) & FULFILLING != 0 {
        await_bit(event, FULFILLED);
        return true;
    }
    ompt::task_detach(task, outer);
    if task.has(flag::UNDEFERRED) {
        // Its generating task must not go on before.
        thread.set_task(outer);
        event.fetch_or(RETURNED, Ordering::AcqRel);
        wait::until(thread, || event.load(Ordering::Acquire) & FULFILLED != 0);
        schedule::complete(thread, task);
        return false;
    }
    // Children that complete from here on must not take the task for theirs: another thread may be
    // about to complete it, which counts those that are left.
    task.executor.store(std::ptr::null_mut(), Ordering::Relaxed);
    task.change_flags(flag::FINISHED, 0);
    event.fetch_or(RETURNED, Ordering::AcqRel);
    false
}

/// Fulfils the event of `task` (`omp_fulfill_event`). Any thread, once a task.
///
/// # Safety
/// `task` is a handle from [`completion_event`] whose event has not been fulfilled.
pub unsafe fn fulfill(task: *const Task) {
    // SAFETY: null or a header; a task whose event is not fulfilled is not complete.
    let Some(task) = (unsafe { task.as_ref() }) else { return no_event(task) };
    let event: &AtomicU8 = &task.event;
    let before = event.fetch_or(FULFILLING, Ordering::AcqRel);
    let Some(team) = task.team().filter(|_| before & (ARMED | FULFILLING) == ARMED) else { return no_event(task) };
    if before & RETURNING == 0 {
        ompt::task_fulfill(task, false);
        event.fetch_or(FULFILLED, Ordering::AcqRel);
        return;
    }
    await_bit(event, RETURNED);
    ompt::task_fulfill(task, true);
    if task.has(flag::UNDEFERRED) {
        event.fetch_or(FULFILLED, Ordering::AcqRel);
        team.waits.notify_all();
    } else {
        finish(task, team);
    }
}

/// The program has fulfilled an event twice, or something that is none.
#[cold]
fn no_event(handle: *const Task) {
    crate::icv::write_stderr(&format!("ferromp: omp_fulfill_event: {handle:p} is no event that is open; ignored\n"));
}

/// Waits for the other side to have told the tool, which it is about to do.
fn await_bit(event: &AtomicU8, bit: u8) {
    while event.load(Ordering::Acquire) & bit == 0 {
        std::thread::yield_now();
    }
}

/// Hands a task whose body has returned to the members of its team: one of them completes it, so that
/// it is counted where barriers look.
fn finish(task: &Task, team: &Team) {
    team.tasks.queue.put(task);
    create::wake_all(team);
}
