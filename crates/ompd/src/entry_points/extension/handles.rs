//! Handles from what stands in the lists.

use crate::answer::write;
use crate::entry_points::task::handle_of;
use crate::handles;
use crate::model::task::Task;
use crate::model::{live, thread};
use crate::{AddressSpaceHandle, ParallelHandle, Rc, TaskHandle, ThreadHandle};
use ompd_layout::Field;

/// The handle of the thread that the kernel knows as `lwp`, as `ompd_get_thread_handle` finds it.
///
/// # Safety
/// `thread_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ferromp_ompd_thread_handle(
    address_space: *mut AddressSpaceHandle,
    lwp: u64,
    thread_handle: *mut *mut ThreadHandle,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(thread_handle, live::space(address_space), |(space, handle)| {
            let thread = thread::by_native_id(&space, Field::ThreadLwp, lwp)?.ok_or(Rc::UNAVAILABLE)?;
            handles::new_thread(&space, live::of_thread(&space, handle, thread)?)
        })
    }
}

/// The handle of the task at `task`. `ompd_rc_bad_input` if no task is there.
///
/// # Safety
/// `task_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ferromp_ompd_task_handle(
    address_space: *mut AddressSpaceHandle,
    task: u64,
    task_handle: *mut *mut TaskHandle,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(task_handle, live::space(address_space), |(space, handle)| {
            let task = Task::at(&space, task).map_err(|_| Rc::BAD_INPUT)?;
            if !task.exists(&space)? {
                return Err(Rc::BAD_INPUT);
            }
            handle_of(&space, handle, task)
        })
    }
}

/// The handle of the region that `team` executes. `ompd_rc_bad_input` if it executes none.
///
/// # Safety
/// `parallel_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ferromp_ompd_parallel_handle(
    address_space: *mut AddressSpaceHandle,
    team: u64,
    parallel_handle: *mut *mut ParallelHandle,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(parallel_handle, live::space(address_space), |(space, handle)| {
            let parallel = live::of_parallel(&space, handle, team).map_err(|_| Rc::BAD_INPUT)?.ok_or(Rc::BAD_INPUT)?;
            handles::new_parallel(&space, parallel)
        })
    }
}
