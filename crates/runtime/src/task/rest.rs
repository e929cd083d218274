//! What is left of a target task when its operations on the device are complete: the last word of the task's payload
//! keeps it (OpenMP 5.1 §2.14.5). What the word is used for is in `target.rs`.

use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::task::flag;

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
pub(super) fn rest(task: &Task) -> *mut *mut Rest {
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

/// Does what the construct of `task`, the current one, has left.
pub(super) fn do_rest(thread: &'static Thread, task: &Task) {
    // SAFETY: made by `target::leave`, and taken by the one of two sides that comes second.
    let rest = unsafe { Box::from_raw(std::ptr::replace(rest(task), std::ptr::null_mut())) };
    rest(thread);
}
