//! Tasks that complete when an event is fulfilled (OpenMP 5.1 §2.12.1 `detach`, §3.5.1
//! `omp_fulfill_event`).
//!
//! One atomic a task decides who came first, the end of the body or the event; the one that came
//! second completes the task. Either may have to tell the tool before the other goes on, so each
//! announces itself (`RETURNING`, `FULFILLING`), tells, and confirms (`RETURNED`, `FULFILLED`).
//!
//! A handle may be used after its task is gone: where the task was discarded, the program cannot know. So the handle holds the
//! number of the event among those that the block has had, the atomic does as well, and it keeps its value when the block is
//! used for another task. A fulfilment changes it only if both agree.

use super::{Task, create, flag, schedule, wait};
use crate::ompt;
use crate::team::Team;
use crate::thread::Thread;
use std::sync::atomic::{AtomicU16, Ordering};

/// The task has an event.
const ARMED: u16 = 16;
/// The body has returned first, or second.
const RETURNING: u16 = 1;
/// The body has returned, and the executing thread has let the task go.
const RETURNED: u16 = 2;
/// The event is fulfilled, first or second.
const FULFILLING: u16 = 4;
/// The event is fulfilled, and the fulfilling thread has let the task go.
const FULFILLED: u16 = 8;

/// The task was discarded before it began.
const DISCARDED: u16 = 32;
/// The number of the event begins here.
const NUMBER: u16 = 64;

/// An event, as the program keeps it: its task's address, with the event's number in the bits that addresses do not use.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventHandle(usize);

/// Bits of an address.
const ADDRESS: u32 = 48;

impl EventHandle {
    fn new(task: &Task, word: u16) -> EventHandle {
        EventHandle(std::ptr::from_ref(task) as usize | usize::from(word / NUMBER) << ADDRESS)
    }

    fn task(self) -> *const Task {
        (self.0 & ((1 << ADDRESS) - 1)) as *const Task
    }

    /// Whether it is of the event that `word` is about.
    fn names(self, word: u16) -> bool {
        self.0 >> ADDRESS == usize::from(word / NUMBER)
    }
}

/// Makes `task` one that completes only when its event is fulfilled, before it is launched or while
/// its generating task still prepares it. Returns the event's handle.
pub fn completion_event(task: &Task) -> EventHandle {
    // Relaxed: whoever gets the handle gets it behind this.
    let word = task.event.load(Ordering::Relaxed);
    if task.has(flag::DETACHABLE) {
        return EventHandle::new(task, word);
    }
    task.change_flags(flag::DETACHABLE, 0);
    let word = (word & !(NUMBER - 1)).wrapping_add(NUMBER) | ARMED;
    task.event.store(word, Ordering::Relaxed);
    EventHandle::new(task, word)
}

/// The detachable `task` is discarded: its event is none any more.
#[cold]
pub(super) fn discard(task: &Task) {
    let before = task.event.fetch_or(DISCARDED, Ordering::AcqRel);
    if before & FULFILLING != 0 {
        await_bit(&task.event, FULFILLED);
    }
    task.change_flags(0, flag::DETACHABLE);
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

/// Fulfils the event of a detachable task (`omp_fulfill_event`). Any thread, once a task.
///
/// # Safety
/// The handle comes from [`completion_event`].
pub unsafe fn fulfill(handle: EventHandle) {
    // SAFETY: null or a header, and headers stay mapped.
    let Some(task) = (unsafe { handle.task().as_ref() }) else { return no_event(handle) };
    let event = &task.event;
    let announce = |word: u16| {
        let open = handle.names(word) && word & (ARMED | FULFILLING | DISCARDED) == ARMED;
        open.then_some(word | FULFILLING)
    };
    let before = match event.fetch_update(Ordering::AcqRel, Ordering::Acquire, announce) {
        Ok(before) => before,
        // Nobody told the program that its task is discarded, and the block may be another's by now.
        Err(word) if word & DISCARDED != 0 || !handle.names(word) && crate::work::cancel::enabled() => return,
        Err(_) => return no_event(handle),
    };
    if before & RETURNING == 0 {
        ompt::task_fulfill(task, false);
        event.fetch_or(FULFILLED, Ordering::AcqRel);
        return;
    }
    await_bit(event, RETURNED);
    ompt::task_fulfill(task, true);
    let Some(team) = task.team() else { return };
    if task.has(flag::UNDEFERRED) {
        event.fetch_or(FULFILLED, Ordering::AcqRel);
        team.waits.notify_all();
    } else {
        finish(task, team);
    }
}

/// As [`fulfill`], where the task itself is known.
///
/// # Safety
/// The task is detachable, and its event has not been fulfilled.
pub unsafe fn fulfill_of(task: &Task) {
    // SAFETY: the caller's.
    unsafe { fulfill(EventHandle::new(task, task.event.load(Ordering::Acquire))) };
}

/// The program has fulfilled an event twice, or something that is none.
#[cold]
fn no_event(handle: EventHandle) {
    crate::icv::write_stderr(&format!("ferromp: omp_fulfill_event: {:#x} is no event that is open; ignored\n", handle.0));
}

/// Waits for the other side to have told the tool, which it is about to do.
fn await_bit(event: &AtomicU16, bit: u16) {
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
