//! Tasks that their generating thread executes at once, with the program's own data (OpenMP 5.1 §2.12.1).
//!
//! Such a task is undeferred or included, or no other thread could execute it, or the others have enough to do. It has
//! neither dependences nor an event. So the task is complete before the construct is over, no other thread sees the
//! task, and its code may use the data where the program has put it.
//!
//! The task is a region of its own all the same, and has a header in a block as any other: children that outlive the
//! task point to the header, and thieves walk up these pointers. But mostly nothing happens in the task that touches
//! its header. Then the header is right for the current task's next task in place, but for a few words. So the thread
//! keeps the header, in a list of prepared headers, which `README.md` describes.

use super::create::{self, flags_of_child};
use super::life::{self, ENOUGH};
use crate::model::atomic::Ordering;
use crate::objects::body::Body;
use crate::objects::call::Caller;
use crate::objects::structures::{Group, Task, Thread};
use crate::objects::task::flag;
use std::ffi::c_void;
use std::hint::cold_path;

/// The code of a task in place.
type Function = unsafe extern "C" fn(*mut c_void);

/// What tasks in place do not do: be discarded, or be recorded.
const UNUSUAL: u32 = flag::CANCELLABLE | flag::RECORDING;

/// Whether a task that `parent`, the current task, generates at `call` runs in place: `undeferred` is whether the
/// construct asks for it. The task has no dependences, no event, and no data that has to be copied.
#[inline(always)]
pub fn runs_in_place(thread: &Thread, parent: &Task, undeferred: bool, call: impl Caller) -> bool {
    if call.for_active_tool().is_some() || parent.has(UNUSUAL) {
        return false;
    }
    let member = thread.member();
    undeferred || parent.is_final() || member.team().nthreads() == 1 && !parent.has_deep_children(member)
}

/// Generates a task as [`execute_in_place`] does, if other threads have enough to do. Returns whether they have.
///
/// # Safety
/// As for [`execute_in_place`].
#[inline(always)]
pub unsafe fn execute_ahead(
    thread: &'static Thread,
    function: Function,
    data: *mut c_void,
    flags: u32,
    call: impl Caller,
) -> bool {
    let (member, parent) = (thread.member(), thread.task());
    if !member.tasks.deque.holds(ENOUGH, false) {
        return false;
    }
    cold_path();
    if call.for_active_tool().is_some() || parent.has(UNUSUAL) || !life::is_ahead(member) {
        return false;
    }
    member.tasks.nested.set(true);
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { execute_in_place(thread, parent, function, data, flags) };
    member.tasks.nested.set(false);
    true
}

/// Generates a task, a child of `parent`, the current task, and executes it: `function(data)`. `flags` are [`flag`]s.
///
/// # Safety
/// `function` may be called with `data`. The task has no dependences and no event, and there is no tool.
#[inline(always)]
pub unsafe fn execute_in_place(
    thread: &'static Thread,
    parent: &Task,
    function: Function,
    data: *mut c_void,
    flags: u32,
) {
    let words = Words::of_child(thread, parent, flags);
    if thread.headers_fit.get()
        && let Some(task) = thread.tasks.take_prepared()
    {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { execute(thread, task, words, function, data) }
    } else {
        cold_path();
        // SAFETY: as above.
        unsafe { prepare_and_execute(function, data, thread, flags) }
    }
}

/// What differs between two tasks with one prepared header.
struct Words {
    flags: u32,
    group: *const Group,
}

impl Words {
    /// Those of a new child of the current task `parent`.
    #[inline(always)]
    fn of_child(thread: &Thread, parent: &Task, flags: u32) -> Words {
        Words { flags: flags_of_child(thread, parent, flags | flag::UNDEFERRED), group: parent.group.get() }
    }
}

/// As [`execute_in_place`], with a new header. The arguments are in the order in which gcc's entry point has them.
///
/// # Safety
/// As for [`execute_in_place`].
#[inline(never)]
unsafe fn prepare_and_execute(function: Function, data: *mut c_void, thread: &'static Thread, flags: u32) {
    if !thread.headers_fit.replace(true) {
        // The current task has done more than execute tasks in place.
        thread.task().change_flags(flag::MARKED, 0);
        thread.tasks.give_all_prepared();
    }
    let task = thread.tasks.take(0);
    create::fill(thread, task, 0, flags, 0);
    task.body.set(Body::default());
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { execute(thread, task, Words::of_child(thread, thread.task(), flags), function, data) };
}

/// Executes `task`, whose header is prepared, as [`execute_in_place`] describes.
///
/// # Safety
/// As for [`execute_in_place`].
#[inline(always)]
unsafe fn execute(thread: &'static Thread, task: &'static Task, words: Words, function: Function, data: *mut c_void) {
    task.flags.set(words.flags);
    task.group.set(words.group);
    task.body.set(Body { function: function as *const c_void, ..task.body.get() });
    task.children.set(std::ptr::null_mut());
    thread.set_task_in_place(task);
    // Without a tool, no exit frame has to be noted. SAFETY: the caller keeps to the `# Safety` section.
    unsafe { function(data) };
    if thread.headers_fit.get() && !task.has(flag::MARKED) {
        // SAFETY: the generating task, which is suspended meanwhile.
        thread.set_task_in_place(unsafe { &*task.parent.load(Ordering::Relaxed) });
        thread.tasks.give_prepared(task);
    } else {
        cold_path();
        complete(thread, task);
    }
}

/// Completes `task`, the current one, whose header is not right for another task.
#[inline(never)]
fn complete(thread: &'static Thread, task: &'static Task) {
    let parent = task.parent().expect("an explicit task has a parent");
    thread.set_task(parent);
    life::complete(thread, task);
}
