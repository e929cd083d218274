//! The enter frame: whether a task's code is inside the runtime, and where it entered (OpenMP 5.1 §4.4.4.28).
//!
//! A task's own frames on a stack have canonical frame addresses above `enter_frame` and not above `exit_frame`. A null
//! pointer is no bound, with one exception: a task that is not initial and has no `exit_frame` has no frames.
//!
//! - If the runtime calls a task's code, `exit_frame` is the frame pointer of a trampoline, whose canonical frame
//!   address is 16 bytes above.
//! - If the program itself calls the code, both frames are the stack pointer with which the program's function called
//!   the entry point.
//!
//! A pointer is written after its flags, so that a signal handler never finds a pointer with old flags.

use crate::backtrace;
use crate::objects::call::{Call, Caller};
use crate::objects::structures::{Task, Thread};
use crate::objects::switch::active;
use crate::objects::{current, frames};
use crate::ompd::locations;
use std::ffi::c_void;

/// Keeps the current task inside the runtime while the value lives: the task has entered at an entry point. Costs
/// nothing in functions without events.
pub struct Entered<'a> {
    task: Option<&'a Task>,
}

impl<'a> Entered<'a> {
    /// No entry.
    pub const NONE: Self = Entered { task: None };

    /// Notes that `thread`'s current task has entered the runtime at `call`. If an entry point calls another one, the
    /// outer entry stays, because the program's frames end there.
    #[inline(always)]
    pub fn new(thread: &'a Thread, call: impl Caller) -> Self {
        // Whether or not a tool is active: the note costs less than the check.
        match call.for_possible_tool() {
            None => Entered::NONE,
            Some(call) => Self::noted(thread.task(), || call.frame),
        }
    }

    /// As [`new`](Self::new), at an entry point that threads unknown to the runtime may call. While a tool is active,
    /// the caller becomes known here: the entry point may report an event, and a thread's first event must be its
    /// begin.
    pub fn by_any_thread(call: impl Caller) -> Entered<'static> {
        let thread = if call.for_active_tool().is_some() { Some(current::current()) } else { current::try_current() };
        thread.map_or(Entered::NONE, |thread| Entered::new(thread, call))
    }

    #[inline]
    fn noted(task: &'a Task, frame: impl FnOnce() -> *mut c_void) -> Self {
        if task.tool.has_entered() {
            // Nested entries are not rare. The hint makes the outer entry the straight path.
            std::hint::cold_path();
            return Entered::NONE;
        }
        task.tool.enter(frame());
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

/// Keeps the initial task of `thread` inside the runtime where no entry point has noted a call: at the task's begin,
/// and at its end. The enter frame is then the boundary between the library and its caller.
pub(super) fn entered_somewhere(thread: &Thread) -> Entered<'_> {
    Entered::noted(thread.task(), boundary)
}

/// The canonical frame address of the outermost frame of the library on the stack.
fn boundary() -> *mut c_void {
    let file = |code: usize| locations::module_of(code as *const c_void).map(|info| info.dli_fbase);
    let library = file(boundary as *const () as usize);
    let (mut address, mut was_inside) = (0, false);
    backtrace::visit(|frame| {
        if was_inside {
            address = frame.canonical_address_inside();
        }
        was_inside = file(frame.address()) == library;
        true
    });
    address as *mut c_void
}

/// The program itself runs the implicit task that `thread` has just begun. The function that called the entry point at
/// `call` calls the task's code. The encountering task `outer` entered the runtime there and stays inside.
#[inline]
pub fn program_runs(entered: Entered, thread: &Thread, outer: &Task, call: impl Caller) {
    // The entry lasts until the region's end: see `program_resumes`.
    std::mem::forget(entered);
    let Some(call) = call.for_active_tool() else { return };
    program_calls(outer, thread.task(), call);
}

/// The program has run the code of a task itself, and ends the task by a call of an entry point, at `call`. The task
/// outside, `outer`, is inside the runtime there from now on: the function that called the first entry point may have
/// given up its frame.
#[inline]
pub fn program_ran(outer: &Task, call: impl Caller) {
    let Some(call) = call.for_active_tool() else { return };
    outer.tool.set_enter_flags(frames::ENTRY_POINT);
    outer.tool.enter(call.frame);
}

/// The region that the program ran itself is over. Its encountering task runs again.
#[inline]
pub fn program_resumes(thread: &Thread) {
    if active() {
        let tool = &thread.task().tool;
        tool.resume();
        tool.set_enter_flags(frames::ENTRY_POINT);
    }
}

/// The program itself is about to call the code of `task`, on top of `outer`, from the function that called the entry
/// point at `call`. Until it is resumed, `outer` counts as inside the runtime.
pub(super) fn program_calls(outer: &Task, task: &Task, call: Call) {
    task.tool.set_exit(call.frame, frames::PROGRAM);
    task.tool.resume();
    outer.tool.set_enter_flags(frames::PROGRAM);
    outer.tool.enter(call.frame);
}
