//! Tasks that complete when an event is fulfilled (OpenMP 5.1 §2.12.1 `detach`, §3.5.1 `omp_fulfill_event`).
//!
//! Of two sides, the end of the body and the event, the second completes the task. One atomic a task decides which is
//! second (`protocol/detach.rs`).
//!
//! A handle may be used after its task is gone, because the program does not learn that a task was discarded. So the
//! handle holds the number of the event among those that the block has had.

use super::life;
use crate::arch;
use crate::model::atomic::Ordering;
use crate::objects::structures::{Task, Thread};
use crate::objects::switch;
use crate::objects::task::flag;
use crate::ompt;
use crate::protocol::detach::Fulfilment;
use std::hint::cold_path;

/// An event as the program keeps it: its task's address, with the event's number in the bits that addresses leave free.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventHandle(usize);

/// How many bits of a handle hold the address.
const ADDRESS: u32 = 48;
const _: () = assert!(arch::ADDRESS_BITS <= ADDRESS, "a handle has no room for an address");

impl EventHandle {
    fn new(task: &Task, number: u16) -> EventHandle {
        EventHandle(std::ptr::from_ref(task) as usize | usize::from(number) << ADDRESS)
    }

    fn task(self) -> *const Task {
        (self.0 & ((1 << ADDRESS) - 1)) as *const Task
    }

    fn number(self) -> u16 {
        (self.0 >> ADDRESS) as u16
    }
}

/// Makes `task` one that completes only when its event is fulfilled. Called before the task is launched, or while its
/// generating task prepares it. Returns the event's handle.
pub fn completion_event(task: &Task) -> EventHandle {
    if task.has(flag::DETACHABLE) {
        return EventHandle::new(task, task.event.number());
    }
    task.change_flags(flag::DETACHABLE, 0);
    EventHandle::new(task, task.event.arm())
}

/// As [`completion_event`], for a task that the calling thread continues to prepare. The program may ask next for the
/// wait that an undeferred task begins with, in a call that does not name the task (kmpc only).
pub fn prepared_event(thread: &Thread, task: &Task) -> EventHandle {
    thread.tasks.prepared.set(task);
    thread.tasks.prepared_since.set(0);
    // No header is ready from now on, so each allocation comes to `prepares_another`.
    thread.headers_for.set(std::ptr::null());
    completion_event(task)
}

/// Notes that the calling thread allocates a task that the program fills in next. Between the event of a detachable
/// task and its generation, copies of the program's objects may generate other tasks.
#[inline(always)]
pub fn prepares_another(thread: &Thread) {
    if is_preparing(thread) {
        cold_path();
        thread.tasks.prepared_since.set(thread.tasks.prepared_since.get() + 1);
    }
}

/// Notes that the program has filled in `task`, and the calling thread generates it.
#[inline(always)]
pub fn has_prepared(thread: &Thread, task: &Task) {
    if is_preparing(thread) {
        cold_path();
        if std::ptr::eq(thread.tasks.prepared.get(), task) {
            thread.tasks.prepared.set(std::ptr::null());
        } else {
            thread.tasks.prepared_since.set(thread.tasks.prepared_since.get().saturating_sub(1));
        }
    }
}

/// Whether the calling thread prepares a detachable task.
#[inline(always)]
pub(super) fn is_preparing(thread: &Thread) -> bool {
    !thread.tasks.prepared.get().is_null()
}

/// The detachable task that the calling thread prepares, if a wait that does not name its task belongs to that one: if
/// no task has been allocated since and waits for its own generation.
pub(super) fn prepared(thread: &Thread) -> Option<&'static Task> {
    // SAFETY: null or a header, and headers stay mapped. The task is not launched, so it belongs to this thread.
    let task = unsafe { thread.tasks.prepared.get().as_ref() }?;
    let is_child = std::ptr::eq(task.parent.load(Ordering::Relaxed), thread.task());
    (is_child && thread.tasks.prepared_since.get() == 0).then_some(task)
}

/// Fulfils the event of a detachable task (`omp_fulfill_event`). Any thread may call this, once a task.
///
/// # Safety
/// The handle comes from [`completion_event`].
pub unsafe fn fulfill(handle: EventHandle) {
    // SAFETY: null or a header, and headers stay mapped.
    let Some(task) = (unsafe { handle.task().as_ref() }) else { return no_event(handle) };
    match task.event.fulfil(handle.number()) {
        Fulfilment::Early => {
            ompt::task_fulfill(task, false);
            task.event.fulfilled();
        }
        Fulfilment::Late => {
            ompt::task_fulfill(task, true);
            life::fulfilled(task);
        }
        // The program could not know that its task was discarded.
        Fulfilment::Discarded => {}
        Fulfilment::Another if switch::enabled() => {}
        Fulfilment::Another | Fulfilment::NotOpen => no_event(handle),
    }
}

/// As [`fulfill`], where the task itself is known.
///
/// # Safety
/// The task is detachable, and its event has not been fulfilled.
pub unsafe fn fulfill_of(task: &Task) {
    // SAFETY: the handle is the one that `completion_event` returned.
    unsafe { fulfill(EventHandle::new(task, task.event.number())) };
}

/// Complains that the program has fulfilled an event twice, or something that is no event.
#[cold]
fn no_event(handle: EventHandle) {
    crate::stderr::write_stderr(&format!(
        "ferromp: omp_fulfill_event: {:#x} is no event that is open; ignored\n",
        handle.0
    ));
}
