//! Parallel region handles (OpenMP 5.1, section 5.5.6). The implicit parallel region of an initial task is a region
//! like any other, of one thread; those of a league are the outermost ones of their teams, inside the region that
//! encountered the league.

use crate::answer::{answer, compare, write};
use crate::handles;
use crate::model::{live, team, thread};
use crate::{ParallelHandle, Rc, TaskHandle, ThreadHandle};
use std::ffi::c_int;

/// Finds the region that a thread executes (5.5.6.1). `ompd_rc_unavailable` for a thread that is part of no team now.
///
/// # Safety
/// `parallel_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_curr_parallel_handle(
    thread_handle: *mut ThreadHandle,
    parallel_handle: *mut *mut ParallelHandle,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(parallel_handle, live::thread(thread_handle), |(space, thread)| {
            let at = thread::whereabouts(&space, thread.thread)?.filter(|at| !at.is_leaving).ok_or(Rc::UNAVAILABLE)?;
            let parallel = live::of_parallel(&space, thread.space, at.slot.team)?.ok_or(Rc::UNAVAILABLE)?;
            handles::new_parallel(&space, parallel)
        })
    }
}

/// Finds the region around a region (5.5.6.2). `ompd_rc_unavailable` if there is none.
///
/// # Safety
/// `enclosing_parallel_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_enclosing_parallel_handle(
    parallel_handle: *mut ParallelHandle,
    enclosing_parallel_handle: *mut *mut ParallelHandle,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(enclosing_parallel_handle, live::parallel(parallel_handle), |(space, parallel)| {
            let outer = team::enclosing(&space, parallel.team)?.ok_or(Rc::UNAVAILABLE)?;
            let outer = live::of_parallel(&space, parallel.space, outer)?.ok_or(Rc::UNAVAILABLE)?;
            handles::new_parallel(&space, outer)
        })
    }
}

/// Finds the region around a task (5.5.6.3).
///
/// # Safety
/// `task_parallel_handle` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_get_task_parallel_handle(
    task_handle: *mut TaskHandle,
    task_parallel_handle: *mut *mut ParallelHandle,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        write(task_parallel_handle, live::task(task_handle), |(space, handle, task)| {
            let parallel = live::of_parallel(&space, handle, task.team(&space)?)?.ok_or(Rc::UNAVAILABLE)?;
            handles::new_parallel(&space, parallel)
        })
    }
}

/// Releases a handle (5.5.6.4).
#[unsafe(no_mangle)]
pub extern "C" fn ompd_rel_parallel_handle(parallel_handle: *mut ParallelHandle) -> Rc {
    answer(handles::release_parallel(parallel_handle))
}

/// Says whether two handles are of one region, and which comes first in an order that means nothing else (5.5.6.5).
/// `ompd_rc_bad_input` for handles from different address spaces.
///
/// # Safety
/// `cmp_value` is null or may be written to.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ompd_parallel_handle_compare(
    parallel_handle_1: *mut ParallelHandle,
    parallel_handle_2: *mut ParallelHandle,
    cmp_value: *mut c_int,
) -> Rc {
    // SAFETY: the caller passes null or a place to write to.
    unsafe {
        compare(handles::parallel, (parallel_handle_1, parallel_handle_2), cmp_value, |parallel| {
            (parallel.team, parallel.region, parallel.primary)
        })
    }
}
