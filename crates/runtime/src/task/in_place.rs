//! Tasks that their generating thread executes at once (OpenMP 5.1 §2.12.1).
//!
//! Such a task is undeferred or included, or no other thread could execute it, or the others have enough to do. It has
//! neither dependences nor an event. So the task is complete before the construct is over, and no other thread sees the
//! task. In gcc's programs its code may use the data where the program has put it.
//!
//! The task is a region of its own all the same, and has a header in a block as any other: children that outlive the
//! task point to the header, and thieves walk up these pointers. But mostly nothing happens in the task that touches
//! its header. Then the header is right for the current task's next task in place, but for a few words. So the thread
//! keeps the header, in a list of prepared headers, which `README.md` describes.

use super::create::{self, flags_of_child};
use super::detach;
use super::life::{self, ENOUGH};
use crate::model::atomic::Ordering;
use crate::objects::body::Body;
use crate::objects::call::{Caller, NoTool};
use crate::objects::structures::{Group, Task, Thread};
use crate::objects::task::flag;
use std::ffi::c_void;
use std::hint::cold_path;

/// The code of a task in place.
type Function = unsafe extern "C" fn(*mut c_void);

/// What tasks in place do not do: be discarded, or be recorded.
const UNUSUAL: u32 = flag::CANCELLABLE | flag::RECORDING;

/// Whether a task that `parent`, the current task, generates at `call` runs in place: `undeferred` is whether the
/// construct asks for it. The task has no dependences, no event, and no data that has to be copied. False as well where
/// only [`runs_in_place_deep`] tells.
#[inline(always)]
pub fn runs_in_place(thread: &Thread, parent: &Task, undeferred: bool, call: impl Caller) -> bool {
    if call.for_active_tool().is_some() || parent.has(UNUSUAL) {
        return false;
    }
    let member = thread.member();
    undeferred || parent.is_final() || member.team().nthreads() == 1 && !parent.may_have_deep_children()
}

/// Whether a task that `parent`, the current task, generates at `call` runs in place although it lies deep, because the
/// thread has used little of its stack.
#[inline(always)]
pub fn runs_in_place_deep(thread: &Thread, parent: &Task, call: impl Caller) -> bool {
    if !parent.may_have_deep_children() {
        return false;
    }
    cold_path();
    let is_alone = thread.member().team().nthreads() == 1;
    is_alone && call.for_active_tool().is_none() && !parent.has(UNUSUAL) && !life::is_stack_used(thread)
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
    let nested = member.tasks.nested.replace(member.tasks.nested.get() + 1);
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { execute_in_place(thread, parent, function, data, flags) };
    member.tasks.nested.set(nested);
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
    let words = Words::of_child(parent, flags);
    if std::ptr::eq(thread.headers_for.get(), parent)
        && let Some(task) = thread.tasks.take_prepared()
    {
        // SAFETY: the caller keeps to the `# Safety` section.
        unsafe { execute(thread, parent, task, words, function, data) }
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
    fn of_child(parent: &Task, flags: u32) -> Words {
        Words { flags: flags_of_child(parent, flags | flag::UNDEFERRED), group: parent.group.get() }
    }
}

/// As [`execute_in_place`], with a new header. The arguments are in the order in which gcc's entry point has them.
///
/// # Safety
/// As for [`execute_in_place`].
#[inline(never)]
unsafe fn prepare_and_execute(function: Function, data: *mut c_void, thread: &'static Thread, flags: u32) {
    let parent = thread.task();
    if !std::ptr::eq(thread.headers_for.get(), parent) {
        begin_anew(thread, parent);
    }
    let task = thread.tasks.take(0);
    create::fill(thread, task, 0, flags, 0);
    task.body.set(Body::default());
    // SAFETY: the caller keeps to the `# Safety` section.
    unsafe { execute(thread, parent, task, Words::of_child(parent, flags), function, data) };
}

/// Frees the prepared headers, because the current task has done more than execute tasks in place. The next headers are
/// prepared for its children.
fn begin_anew(thread: &Thread, current: &Task) {
    current.change_flags(flag::MARKED, 0);
    thread.tasks.give_all_prepared();
}

/// Executes `task`, whose header is prepared for a child of `parent`, the current task, as [`execute_in_place`]
/// describes.
///
/// # Safety
/// As for [`execute_in_place`].
#[inline(always)]
unsafe fn execute(
    thread: &'static Thread,
    parent: &Task,
    task: &'static Task,
    words: Words,
    function: Function,
    data: *mut c_void,
) {
    task.flags.set(words.flags);
    task.group.set(words.group);
    task.body.set(Body { function: function as *const c_void, ..task.body.get() });
    task.children.set(std::ptr::null_mut());
    enter(thread, task);
    // Without a tool, no exit frame has to be noted. SAFETY: the caller keeps to the `# Safety` section.
    unsafe { function(data) };
    if is_unchanged(thread, task) {
        leave(thread, parent, task);
    } else {
        cold_path();
        complete(thread, task);
    }
}

/// The current task generates `task`, which becomes the current one. What is left of the list is for its children.
#[inline(always)]
fn enter(thread: &Thread, task: &Task) {
    thread.headers_for.set(task);
    thread.set_task_in_place(task);
}

/// Whether the header of `task`, the current one, whose code has returned, is right for another task.
#[inline(always)]
fn is_unchanged(thread: &Thread, task: &Task) -> bool {
    std::ptr::eq(thread.headers_for.get(), task) && !task.has(flag::MARKED | flag::AGAIN)
}

/// Ends `task`, the current one, whose header is right for another child of `parent`.
#[inline(always)]
fn leave(thread: &Thread, parent: &Task, task: &Task) {
    thread.headers_for.set(parent);
    thread.set_task_in_place(parent);
    thread.tasks.give_prepared(task);
}

/// Completes `task`, the current one, whose header is not right for another task.
#[inline(never)]
fn complete(thread: &'static Thread, task: &'static Task) {
    if task.has(flag::AGAIN) {
        life::run_other_parts(thread, task);
    }
    let parent = task.parent().expect("an explicit task has a parent");
    thread.set_task(parent);
    life::complete(thread, task);
}

// Tasks whose data the program fills in between their allocation and their generation (kmpc).

/// What such a task must not have, to run in place: an end of its own behind that of its code, a part in something that
/// others see, or code that is perhaps not run.
const NOT_IN_PLACE: u32 = flag::DETACHABLE
    | flag::ASYNCHRONOUS
    | flag::TARGET
    | flag::DEVICE
    | flag::FINISHED
    | flag::POOL
    | flag::IMPORTING
    | flag::EXPORTING
    | flag::LOOP_CHUNK
    | UNUSUAL
    // A priority, or destructors.
    | flag::ENTRY_POINT_1
    | flag::ENTRY_POINT_2;

/// The current task, if the prepared headers are for its children.
#[inline(always)]
pub fn has_list(thread: &Thread) -> Option<&'static Task> {
    let current = thread.task();
    std::ptr::eq(thread.headers_for.get(), current).then_some(current)
}

/// A prepared header for a child of `parent`, the current task, which has the list. The program fills in the child's
/// `bytes` of payload. `flags` are [`flag`]s. There is no tool. The payload lies in the block, and of the body only the
/// function and the second argument have to be set.
#[inline(always)]
pub fn take_prepared(thread: &Thread, parent: &Task, bytes: usize, flags: u32) -> Option<&'static Task> {
    if bytes > thread.tasks.small.get() {
        return None;
    }
    let task = thread.tasks.take_prepared()?;
    task.flags.set(flags_of_child(parent, flags));
    task.group.set(parent.group.get());
    task.children.set(std::ptr::null_mut());
    task.bytes.set(bytes as u32);
    // Before the task begins, the program may generate other children of the current task: the list is not for them.
    thread.headers_for.set(task);
    Some(task)
}

/// As [`take_prepared`], with a new header.
#[inline(always)]
pub fn create_to_fill_in(thread: &Thread, bytes: usize, flags: u32) -> &'static Task {
    let is_for_current = has_list(thread).is_some();
    thread.headers_for.set(std::ptr::null());
    let task = create::create_for(thread, bytes, flags, 0, NoTool);
    if is_for_current && task.class.get() == 0 && thread.tasks.has_no_prepared() {
        // An empty list is as right for the new task's children as for the current task's.
        thread.headers_for.set(task);
    }
    task
}

/// As [`create_to_fill_in`], with a new header, whether there is a tool or not.
pub fn create_out_of_list(thread: &Thread, bytes: usize, flags: u32) -> &'static Task {
    // The block may have been the one that the list is for, of a task that was launched and is complete.
    thread.headers_for.set(std::ptr::null());
    create::create(thread, bytes, flags, 0)
}

/// Begins `task` in place, which the current task generates undeferred at `call`, and whose code the program runs next.
/// Returns false if the header is not prepared, or the task is an unusual one.
#[inline(always)]
pub fn begin_in_place(thread: &Thread, task: &Task, call: impl Caller) -> bool {
    if !std::ptr::eq(thread.headers_for.get(), task) || task.has(NOT_IN_PLACE) || call.for_active_tool().is_some() {
        return false;
    }
    task.flags.set(task.flags.get() | flag::UNDEFERRED);
    thread.set_task_in_place(task);
    true
}

/// As [`begin_in_place`], also with a header that was not prepared. Returns false if the task cannot run in place.
#[inline]
pub fn prepare_in_place(thread: &Thread, task: &Task, call: impl Caller) -> bool {
    if begin_in_place(thread, task, call) {
        return true;
    }
    if task.class.get() != 0 || task.has(NOT_IN_PLACE) || call.for_active_tool().is_some() {
        return false;
    }
    // A thread that prepares a detachable task counts the allocations that follow: no header is to be ready for them.
    if detach::is_preparing(thread) {
        return false;
    }
    begin_anew(thread, thread.task());
    // The header is kept for the current task's next child. The task may have changed its ICVs since the allocation.
    // SAFETY: no other thread knows the new task yet, and the current task's ICVs are this thread's.
    unsafe { *task.icvs.get() = *thread.icvs() };
    task.flags.set(task.flags.get() | flag::UNDEFERRED);
    enter(thread, task);
    true
}

/// Ends `task`, the current one, whose code the program has run, if the task ran in place and its header is right for
/// another task. Returns whether that is so.
#[inline(always)]
pub fn complete_in_place(thread: &Thread, task: &Task, call: impl Caller) -> bool {
    if !is_unchanged(thread, task) || call.for_active_tool().is_some() {
        return false;
    }
    // SAFETY: the generating task, which is suspended meanwhile.
    leave(thread, unsafe { &*task.parent.load(Ordering::Relaxed) }, task);
    true
}

/// Executes `task`, which the program has filled in and the current task generates at `call`, if the header was
/// prepared and the task runs in place. Returns whether that is so.
#[inline(always)]
pub fn execute_prepared(thread: &'static Thread, task: &'static Task, call: impl Caller) -> bool {
    let current = thread.task();
    // An untied task passes itself where one of its parts ends.
    if !std::ptr::eq(thread.headers_for.get(), task)
        || std::ptr::eq(current, task)
        || !runs_in_place(thread, current, task.has(flag::UNDEFERRED), call)
        || !begin_in_place(thread, task, call)
    {
        return false;
    }
    life::run_body(thread, task);
    complete_or_leave(thread, task, call);
    true
}

/// As [`execute_prepared`], also with a header that was not prepared.
pub fn execute_unprepared(thread: &'static Thread, task: &'static Task, call: impl Caller) -> bool {
    let current = thread.task();
    if !runs_in_place(thread, current, task.has(flag::UNDEFERRED), call) && !runs_in_place_deep(thread, current, call)
        || !prepare_in_place(thread, task, call)
    {
        return false;
    }
    life::run_body(thread, task);
    complete_or_leave(thread, task, call);
    true
}

/// Ends `task`, the current one, which ran in place.
#[inline(always)]
fn complete_or_leave(thread: &'static Thread, task: &'static Task, call: impl Caller) {
    if !complete_in_place(thread, task, call) {
        cold_path();
        complete(thread, task);
    }
}
