//! Task handles (OpenMP 5.1, section 5.5.7).

use crate::answer::{answer, compare, place, write};
use crate::handles::{self, Handle};
use crate::model::task::Task;
use crate::model::team::{self, Slot};
use crate::model::{live, thread};
use crate::space::Space;
use crate::{Address, FrameInfo, ParallelHandle, Rc, SEGMENT_NONE, TaskHandle, ThreadHandle, Word};
use ompd_layout::Field;
use std::ffi::c_int;

/// A handle of a task of the space with the handle `space_handle`. `ompd_rc_unavailable` if the task is over. This
/// happens for the generating task of a worker that is still leaving a region.
pub fn handle_of(space: &Space, space_handle: Handle, task: Task) -> Result<*mut TaskHandle, Rc> {
    if !task.exists(space)? {
        return Err(Rc::UNAVAILABLE);
    }
    handles::new_task(space, task.reference(space, space_handle)?)
}

/// Finds the task that a thread executes (5.5.7.1). `ompd_rc_unavailable` for a thread that executes none.
///
/// # Safety
/// `task_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_curr_task_handle(
    thread_handle: *mut ThreadHandle,
    task_handle: *mut *mut TaskHandle,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(task_handle, live::thread(thread_handle), |(space, thread)| {
            let at = thread::whereabouts(&space, thread.thread)?.ok_or(Rc::UNAVAILABLE)?;
            handle_of(&space, thread.space, Task::current(&space, at)?)
        })
    }
}

/// Finds the task that generated a task, or encountered the construct of its region (5.5.7.2). `ompd_rc_unavailable` if
/// there is none. Around a target region that the host executes, the task is known while the runtime keeps states.
///
/// # Safety
/// `generating_task_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_generating_task_handle(
    task_handle: *mut TaskHandle,
    generating_task_handle: *mut *mut TaskHandle,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(generating_task_handle, live::task(task_handle), |(space, handle, task)| {
            let generating = task.generating(&space)?.ok_or(Rc::UNAVAILABLE)?;
            handle_of(&space, handle, generating)
        })
    }
}

/// Finds the task that a thread has suspended to execute this task: the next task outwards on the thread's stack
/// (5.5.7.3). `ompd_rc_unavailable` if there is none, or the task has not begun.
///
/// # Safety
/// `scheduling_task_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_scheduling_task_handle(
    task_handle: *mut TaskHandle,
    scheduling_task_handle: *mut *mut TaskHandle,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(scheduling_task_handle, live::task(task_handle), |(space, handle, task)| {
            let scheduling = task.scheduling(&space)?.ok_or(Rc::UNAVAILABLE)?;
            handle_of(&space, handle, scheduling)
        })
    }
}

/// Finds the implicit task of the thread with number `thread_num` of a region (5.5.7.4). `ompd_rc_bad_input` for a
/// number that no thread of the region has.
///
/// # Safety
/// `task_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_in_parallel(
    parallel_handle: *mut ParallelHandle,
    thread_num: c_int,
    task_handle: *mut *mut TaskHandle,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(task_handle, live::parallel(parallel_handle), |(space, parallel)| {
            let number = u64::try_from(thread_num).map_err(|_| Rc::BAD_INPUT)?;
            if number >= team::size(&space, parallel.team)? {
                return Err(Rc::BAD_INPUT);
            }
            let slot = Slot::of_team(&space, parallel.team, number)?;
            handle_of(&space, parallel.space, Task::of_slot(&space, slot)?)
        })
    }
}

/// Releases a handle (5.5.7.5).
#[unsafe(no_mangle)]
pub extern "C" fn ompd_rel_task_handle(task_handle: *mut TaskHandle) -> Rc {
    answer(handles::release_task(task_handle))
}

/// Says whether two handles are of one task, and which comes first in an order that means nothing else (5.5.7.6).
/// `ompd_rc_bad_input` for handles from different address spaces.
///
/// # Safety
/// `cmp_value` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_task_handle_compare(
    task_handle_1: *mut TaskHandle,
    task_handle_2: *mut TaskHandle,
    cmp_value: *mut c_int,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe { compare(handles::task, (task_handle_1, task_handle_2), cmp_value, |task| (task.task, task.which)) }
}

/// Finds the outlined function of a task's code (5.5.7.7). `ompd_rc_unavailable` for the first task of a thread, whose
/// code no compiler has outlined.
///
/// # Safety
/// `entry_point` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_function(task_handle: *mut TaskHandle, entry_point: *mut Address) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(entry_point, live::task(task_handle), |(space, _, task)| {
            let address = task.function(&space)?;
            if address == 0 {
                return Err(Rc::UNAVAILABLE);
            }
            Ok(Address { segment: SEGMENT_NONE, address })
        })
    }
}

/// Finds where a task's frames on a stack end, outwards (`exit_frame`), and where it entered the runtime
/// (`enter_frame`), as `ompt_frame_t` has them (5.5.7.8). `ompd_rc_needs_state_tracking` where the runtime does not
/// keep them.
///
/// # Safety
/// `exit_frame` and `enter_frame` are null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_frame(
    task_handle: *mut TaskHandle,
    exit_frame: *mut FrameInfo,
    enter_frame: *mut FrameInfo,
) -> Rc {
    let tell = || {
        let (space, _, task) = live::task(task_handle)?;
        // SAFETY: the caller passes null or places to write to.
        let (exit, enter) = unsafe { (place(exit_frame)?, place(enter_frame)?) };
        let (found_exit, found_enter) = task.frame(&space)?;
        *exit = found_exit;
        *enter = found_enter;
        Ok(())
    };
    answer(tell())
}

impl Task {
    /// The outlined function of the task's code; 0 where there is none.
    pub(super) fn function(self, space: &Space) -> Result<u64, Rc> {
        match self.slot {
            Some(slot) => space.unsigned(slot.team, Field::TeamFunction),
            None => space.unsigned(self.task, Field::TaskFunction),
        }
    }

    /// The task's `ompt_frame_t`: two words of 8 bytes whose first bytes are pointers, and the flags of both.
    fn frame(self, space: &Space) -> Result<(FrameInfo, FrameInfo), Rc> {
        if !space.keeps_states()? {
            return Err(Rc::NEEDS_STATE_TRACKING);
        }
        let frame = space.part(self.task, Field::TaskFrame)?;
        let at = |offset: u64| frame.checked_add(offset).ok_or(Rc::ERROR);
        let info = |address: u64, flags: u64| FrameInfo {
            frame_address: Address { segment: SEGMENT_NONE, address },
            frame_flag: flags as Word,
        };
        let (exit, enter) = (space.memory.pointer(at(0)?)?, space.memory.pointer(at(8)?)?);
        let (exit_flags, enter_flags) = (space.memory.unsigned(at(16)?, 4)?, space.memory.unsigned(at(20)?, 4)?);
        if self.is_to_begin(space)? {
            return Ok((info(0, 0), info(0, 0)));
        }
        Ok((info(exit, exit_flags), info(enter, enter_flags)))
    }
}
