//! The enter frame: says that a task's code is inside the runtime, and since which frame
//! (OpenMP 5.1 §4.4.4.28).
//!
//! A task's own frames on a stack are those whose canonical frame address is above `enter_frame` and not above
//! `exit_frame`; a null pointer is no bound, but for a task other than an initial one without `exit_frame`, which has
//! none. Where the runtime calls a task's code, `exit_frame` is the frame pointer of a trampoline, whose own canonical
//! frame address is 16 bytes above; where the program itself does, both are the stack pointer with which its function
//! called the entry point. The pointers are written after their flags, so that a signal handler finds them together.

use crate::backtrace;
use crate::objects::call::{Call, Caller};
use crate::objects::current;
use crate::objects::frames;
use crate::objects::structures::Task;
use crate::objects::structures::Thread;
use crate::objects::switch::active;
use std::ffi::c_void;

/// While this lives, the current task counts as having entered the runtime at an entry point. Costs nothing where it is
/// known that there is no tool.
pub struct Entered<'a> {
    task: Option<&'a Task>,
}

impl<'a> Entered<'a> {
    /// Notes that `thread`'s current task entered the runtime at `call`. An outer entry stays in
    /// force: an entry point that calls another one does not hide where the program's frames end.
    #[inline(always)]
    pub fn new(thread: &'a Thread, call: impl Caller) -> Self {
        // Whether or not a tool is active: it costs less than to look.
        match call.for_possible_tool() {
            None => Entered { task: None },
            Some(call) => Self::noted(thread.task(), call),
        }
    }

    /// As [`new`](Self::new), at an entry point whose callers need not be OpenMP's threads. Where somebody listens,
    /// such a caller becomes one here: the entry point may tell an event, and a thread's first event is its begin.
    /// Elsewhere it stays what it is.
    pub fn by_any_thread(call: impl Caller) -> Entered<'static> {
        let thread = if call.for_active_tool().is_some() { Some(current::current()) } else { current::try_current() };
        thread.map_or(Entered { task: None }, |thread| Entered::new(thread, call))
    }

    /// No entry of a task that is noted here.
    pub fn nowhere() -> Self {
        Entered { task: None }
    }

    #[inline]
    fn noted(task: &'a Task, call: Call) -> Self {
        if task.tool.has_entered() {
            // Not that it were rare: the other way is to be the short one.
            std::hint::cold_path();
            return Entered { task: None };
        }
        task.tool.enter(call.frame);
        Entered { task: Some(task) }
    }
}

impl Drop for Entered<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(task) = self.task {
            task.tool.resume();
        }
    }
}

/// The initial task of `thread` is inside the runtime, wherever it entered it: at its begin, where no entry point has
/// noted the call yet, and at its end, which no entry point brings about.
pub(super) fn entered_somewhere(thread: &Thread) -> Entered<'_> {
    let task = thread.task();
    if task.tool.has_entered() {
        return Entered { task: None };
    }
    task.tool.enter(boundary());
    Entered { task: Some(task) }
}

/// The canonical frame address of the outermost frame of the library on the stack.
fn boundary() -> *mut c_void {
    let library = module_of(boundary as *const () as usize);
    let (mut address, mut was_inside) = (0, false);
    backtrace::visit(|frame| {
        if was_inside {
            address = frame.canonical_address_inside();
        }
        was_inside = module_of(frame.address()) == library;
        true
    });
    address as *mut c_void
}

/// Where the file that holds `code` begins in memory.
fn module_of(code: usize) -> *const c_void {
    // SAFETY: a structure of pointers, which the call fills.
    let mut info: libc::Dl_info = unsafe { std::mem::zeroed() };
    // SAFETY: as above; any address may be asked for.
    unsafe { libc::dladdr(code as *const c_void, &mut info) };
    info.dli_fbase
}

/// The program itself runs the implicit task that `thread` has just begun: the task's code is called from the function
/// that called the entry point at `call`, and the encountering task `outer`, which entered the runtime there, stays
/// inside it.
#[inline]
pub fn program_runs(entered: Entered, thread: &Thread, outer: &Task, call: impl Caller) {
    // Not to be undone before the region's end.
    std::mem::forget(entered);
    if let Some(call) = call.for_active_tool() {
        program_calls(outer, thread.task(), call);
    }
}

/// The program has run the code of a task itself and calls an entry point again, at `call`, which ends the task: that
/// is where `outer`, the task outside, is inside the runtime now. The function may have taken its frame down first.
#[inline]
pub fn program_ran(outer: &Task, call: impl Caller) {
    if let Some(call) = call.for_active_tool() {
        outer.tool.set_enter_flags(frames::entry_point_flags());
        outer.tool.enter(call.frame);
    }
}

/// The region that the program ran itself is over: its encountering task runs again.
#[inline]
pub fn program_resumes(thread: &Thread) {
    if active() {
        let tool = &thread.task().tool;
        tool.resume();
        tool.set_enter_flags(frames::entry_point_flags());
    }
}

/// The program itself is about to call the code of `task`, on top of `outer`, from the function that called the entry
/// point at `call`: `outer` counts as inside the runtime until it is resumed.
pub(super) fn program_calls(outer: &Task, task: &Task, call: Call) {
    task.tool.set_exit(call.frame, frames::program_flags());
    task.tool.resume();
    outer.tool.set_enter_flags(frames::program_flags());
    outer.tool.enter(call.frame);
}
