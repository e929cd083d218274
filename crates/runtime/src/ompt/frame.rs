//! The enter frame: says that a task's code is inside the runtime, and since which frame
//! (OpenMP 5.1 §4.4.4.28).

use crate::abi::Call;
use crate::task::Task;
use crate::thread::Thread;
use ompt::Data;

/// While this lives, the current task counts as having entered the runtime at a door. Costs one
/// load and a branch when no tool is active.
pub struct Entered<'a> {
    task: Option<&'a Task>,
}

impl<'a> Entered<'a> {
    /// Notes that `thread`'s current task entered the runtime at `call`. An outer entry stays in
    /// force: a door that calls another one does not hide where the program's frames end.
    #[inline(always)]
    pub fn new(thread: &'a Thread, call: Call) -> Self {
        if !super::active() {
            return Entered { task: None };
        }
        Self::noted(thread.task(), call)
    }

    #[cold]
    fn noted(task: &'a Task, call: Call) -> Self {
        // SAFETY: the task is the current one of this thread, which alone writes its frame.
        unsafe {
            let frame = task.tool.frame();
            if !(*frame).enter_frame.ptr().is_null() {
                return Entered { task: None };
            }
            (*frame).enter_frame = Data { ptr: call.frame };
            (*frame).enter_frame_flags = super::objects::door_flags();
        }
        Entered { task: Some(task) }
    }
}

impl Drop for Entered<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(task) = self.task {
            // SAFETY: as above; the task is still alive, because it is the one that entered.
            unsafe { (*task.tool.frame()).enter_frame = Data::NONE };
        }
    }
}

/// The program itself runs the implicit task that `thread` has just begun: the task's code began
/// below the door at `call`, and the encountering task `outer` stays inside the runtime meanwhile.
#[inline]
pub fn program_runs(thread: &Thread, outer: &Task, call: Call) {
    if super::active() {
        // SAFETY: both tasks are this thread's: one is current, the other is suspended in it.
        unsafe {
            let frame = thread.task().tool.frame();
            (*frame).exit_frame = Data { ptr: call.frame };
            (*frame).exit_frame_flags = super::objects::door_flags();
            (*outer.tool.frame()).enter_frame = Data { ptr: call.frame };
        }
    }
}

/// The region that the program ran itself is over: its encountering task runs again.
#[inline]
pub fn program_resumes(thread: &Thread) {
    if super::active() {
        // SAFETY: the current task's frame is this thread's.
        unsafe { (*thread.task().tool.frame()).enter_frame = Data::NONE };
    }
}
