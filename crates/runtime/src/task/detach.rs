//! Tasks that complete when an event is fulfilled (OpenMP 5.1 §2.12.1 `detach`, §3.5.1
//! `omp_fulfill_event`).
//!
//! One atomic a task decides who came first, the end of the body or the event; the one that came
//! second completes the task (`event.rs`). Either may have to tell the tool before the other goes on.
//!
//! A handle may be used after its task is gone: where the task was discarded, the program cannot know. So the handle
//! holds the number of the event among those that the block has had.

use super::life;
use crate::arch;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::switch;
use crate::objects::task::flag;
use crate::ompt;
use crate::protocol::detach::Fulfilment;

/// An event, as the program keeps it: its task's address, with the event's number in the bits that addresses do not
/// use.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EventHandle(usize);

/// The bits that an event's handle has for an address.
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

/// Makes `task` one that completes only when its event is fulfilled, before it is launched or while
/// its generating task still prepares it. Returns the event's handle.
pub fn completion_event(task: &Task) -> EventHandle {
    if task.has(flag::DETACHABLE) {
        return EventHandle::new(task, task.event.number());
    }
    task.change_flags(flag::DETACHABLE, 0);
    EventHandle::new(task, task.event.arm())
}

/// As [`completion_event`], for a task that the calling thread goes on to prepare. The program may ask next for the
/// wait that an undeferred task begins with, in a call that does not name the task (kmpc only).
pub fn prepared_event(thread: &Thread, task: &Task) -> EventHandle {
    thread.tasks.prepared.set(task);
    completion_event(task)
}

/// The calling thread prepares no detachable task any more.
pub fn no_longer_prepared(thread: &Thread) {
    thread.tasks.prepared.set(std::ptr::null());
}

/// The detachable task that the calling thread prepares.
pub(super) fn prepared(thread: &Thread) -> Option<&'static Task> {
    // SAFETY: null or a header, and headers stay mapped. The task is not launched, so it is this thread's.
    unsafe { thread.tasks.prepared.get().as_ref() }
}

/// Fulfils the event of a detachable task (`omp_fulfill_event`). Any thread, once a task.
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
        // Nobody told the program that its task is discarded.
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
    // SAFETY: the caller's.
    unsafe { fulfill(EventHandle::new(task, task.event.number())) };
}

/// The program has fulfilled an event twice, or something that is none.
#[cold]
fn no_event(handle: EventHandle) {
    crate::stderr::write_stderr(&format!(
        "ferromp: omp_fulfill_event: {:#x} is no event that is open; ignored\n",
        handle.0
    ));
}
